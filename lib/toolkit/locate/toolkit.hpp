// Where CUDA is on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What was found, and where was looked. Nothing is opened and no process is started to find it. Paths are plain
/// strings, and as few files as possible are looked at, because every warm start pays for the search.
struct Toolkit {
  /// The first folder that gave something: it holds include/, lib*/ or both. Nothing where only the loader's path did.
  std::optional<std::string> root;
  /// Folders for the compiler's -I, in order: the toolkit's include folder and, where it is apart (CUDA 13), CCCL's.
  /// For CUDA 12 wheels several components have one each.
  std::vector<std::string> include_dirs;
  /// The libnvrtc that would be opened: a file, no link (a folder on the way may be one).
  std::optional<std::string> nvrtc;
  std::optional<std::string> nvrtc_builtins;
  /// No headers were found, and this NVRTC (13.3 or newer, by its builtins library) brings its own.
  bool uses_bundled_headers = false;
  /// Every place that was looked at, in order, in words. Later places are not looked at once all is found.
  std::vector<std::string> searched;
  /// Says that CUDA_HOME or CUDA_PATH names a folder without a toolkit; else empty.
  std::string warning = {};
};

/// What decides where is looked, so that tests can search a made-up machine. Empty texts count as unset.
struct ToolkitSearch {
  std::string cuda_home = {};     // CUDA_HOME
  std::string cuda_path = {};     // CUDA_PATH
  std::string path = {};          // PATH: nvcc and python3
  std::string virtual_env = {};   // VIRTUAL_ENV
  std::string conda_prefix = {};  // CONDA_PREFIX
  std::string home = {};          // HOME
  std::string library_path = {};  // LD_LIBRARY_PATH
  /// What stands before /usr/local/cuda, /etc/ld.so.conf and their like.
  std::filesystem::path system_root = "/";

  static ToolkitSearch from_environment();
};

/// Looks in CUDA_HOME, CUDA_PATH, the folder of the nvcc on PATH, CUDA's default install folders, NVIDIA's Python
/// wheels and the loader's path, in that order, until it has both NVRTC and headers; the two may come from different
/// places.
Toolkit find_toolkit(const ToolkitSearch& search);

/// This process's toolkit, searched for once (again as long as no NVRTC is found). The reference stays valid.
/// Thread-safe.
const Toolkit& current_toolkit();

/// "Searched, in order:" and the places, a line each, for error texts.
std::string searched_text(const std::vector<std::string>& searched);
inline std::string searched_text(const Toolkit& toolkit) { return searched_text(toolkit.searched); }
/// How to install what is missing, for error texts.
std::string installation_advice();

}  // namespace kiln
