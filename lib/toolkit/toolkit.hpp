// Where CUDA is on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What was found, and where was looked. Nothing is opened to find it.
struct Toolkit {
  /// The folder that holds include/ and lib*/, or nothing.
  std::optional<std::filesystem::path> root;
  /// Folders for the compiler's -I, in order: the toolkit's include folder and, where it is apart (CUDA 13), CCCL's.
  /// For CUDA 12 wheels several components have one each.
  std::vector<std::filesystem::path> include_dirs;
  /// The libnvrtc that would be opened, resolved (no links).
  std::optional<std::filesystem::path> nvrtc;
  std::optional<std::filesystem::path> nvrtc_builtins;
  std::optional<std::filesystem::path> nvcc;
  /// Every place that was looked at, in order, in words.
  std::vector<std::string> searched;
};

/// The places to look at, in order: KILN_CUDA_ROOT..., so that tests can search a made-up machine.
struct ToolkitSearch {
  std::vector<std::filesystem::path> roots;        // CUDA_HOME, CUDA_PATH, the nvcc on PATH, the default install folder
  std::vector<std::filesystem::path> wheel_roots;  // site-packages folders that may hold nvidia/...
  std::vector<std::filesystem::path> loader_dirs;  // LD_LIBRARY_PATH, the loader's cache, the system folders
  static ToolkitSearch from_environment();
};

Toolkit find_toolkit(const ToolkitSearch& search);

/// This process's toolkit, searched for once (again as long as no NVRTC is found). Thread-safe.
const Toolkit& current_toolkit();

/// How to install what is missing, for error texts.
std::string installation_advice();

}  // namespace kiln
