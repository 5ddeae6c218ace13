#include "toolkit/locate/toolkit.hpp"

#include "base/environment.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/log.hpp"
#include "base/path_text.hpp"
#include "toolkit/locate/toolkit_places.hpp"
#include "toolkit/locate/toolkit_walk.hpp"

#include <atomic>
#include <cstdio>
#include <list>
#include <mutex>
#include <string_view>
#include <utility>

namespace kiln {
namespace {

// The libnvrtc that a folder holds. The unversioned link counts where it leads to a version that Kiln knows; the build
// named ".alt" is another library, for another use.
std::optional<std::string> nvrtc_in(const std::string& folder) {
  for (const char* name : {"/libnvrtc.so.13", "/libnvrtc.so.12"})
    if (auto library = followed(folder + name)) return library;
  const auto library = followed(folder + "/libnvrtc.so");
  if (!library) return std::nullopt;
  const std::string name = file_name_of(*library);
  const bool known = name.rfind("libnvrtc.so.13", 0) == 0 || name.rfind("libnvrtc.so.12", 0) == 0;
  return known ? library : std::nullopt;
}

// libnvrtc.so.13.0.88 needs libnvrtc-builtins.so.13.0 beside it. Where the name has no minor version (wheels), the
// folder holds one only.
std::optional<std::string> builtins_beside(const std::string& nvrtc) {
  const std::string version = file_name_of(nvrtc).substr(std::string("libnvrtc.so.").size());
  const std::size_t dot = version.find('.');
  const std::string base = folder_of(nvrtc) + "/libnvrtc-builtins.so." + version.substr(0, dot) + '.';
  if (dot != std::string::npos) {
    const std::string path = base + version.substr(dot + 1, version.find('.', dot + 1) - dot - 1);
    return exists(path) ? std::optional<std::string>(path) : std::nullopt;
  }
  for (char minor = '0'; minor <= '9'; ++minor)
    if (exists(base + minor)) return base + minor;
  return std::nullopt;
}

// NVRTC has its own headers from 13.3 on; they are in the builtins library, whose name has the version.
bool bundles_headers(const std::string& builtins) {
  constexpr std::string_view stem = "libnvrtc-builtins.so.";
  const std::string name = file_name_of(builtins);
  int major = 0;
  int minor = 0;
  return name.starts_with(stem) && std::sscanf(name.c_str() + stem.size(), "%d.%d", &major, &minor) == 2 &&
         std::pair(major, minor) >= std::pair(13, 3);
}

class Finder : private ToolkitWalk {
 public:
  explicit Finder(const ToolkitSearch& search) : search_(search) {}

  Toolkit run() {
    walk(search_);
    // Where distributions keep the headers of the NVRTC that they put on the loader's path.
    if (toolkit_.include_dirs.empty()) take_headers((search_.system_root / "usr/include").string());
    if (toolkit_.include_dirs.empty() && toolkit_.nvrtc_builtins)
      toolkit_.uses_bundled_headers = bundles_headers(*toolkit_.nvrtc_builtins);
    check_variable();
    return std::move(toolkit_);
  }

 private:
  bool complete() const override { return toolkit_.nvrtc && !toolkit_.include_dirs.empty(); }
  bool has_library() const override { return toolkit_.nvrtc.has_value(); }

  void look_in_loader_folder(const std::string& folder) override { take_nvrtc(folder); }

  void look_in_root(const std::string& base) override {
    const bool had_nvrtc = toolkit_.nvrtc.has_value();
    const bool had_headers = !toolkit_.include_dirs.empty();
    for (const char* folder : library_folders)
      if (!toolkit_.nvrtc) take_nvrtc(base + folder);
    for (const char* folder :
         {"/include", "/targets/x86_64-linux/include", "/targets/sbsa-linux/include", "/targets/aarch64-linux/include"})
      if (toolkit_.include_dirs.empty()) take_headers(base + folder);
    const bool gave = had_nvrtc != toolkit_.nvrtc.has_value() || had_headers == toolkit_.include_dirs.empty();
    if (gave && !toolkit_.root) toolkit_.root = base;
  }

  // One folder a component.
  void look_in_cuda_12_wheels(const std::string& nvidia) override {
    const bool had_headers = !toolkit_.include_dirs.empty();
    if (!toolkit_.nvrtc) take_nvrtc(nvidia + "/cuda_nvrtc/lib");
    if (had_headers || !exists(nvidia + "/cuda_runtime/include/cuda.h")) return;
    for (const char* component : {"cuda_runtime", "cuda_nvrtc", "cuda_cccl", "cuda_nvcc", "curand"}) {
      const std::string include = nvidia + '/' + component + "/include";
      if (exists(include)) toolkit_.include_dirs.push_back(include);
    }
    if (!toolkit_.root) toolkit_.root = nvidia;
  }

  void take_nvrtc(const std::string& folder) {
    toolkit_.nvrtc = nvrtc_in(folder);
    if (toolkit_.nvrtc) toolkit_.nvrtc_builtins = builtins_beside(*toolkit_.nvrtc);
  }

  void take_headers(const std::string& include) {
    if (!exists(include + "/cuda.h")) return;
    toolkit_.include_dirs.emplace_back(include);
    if (exists(include + "/cccl")) toolkit_.include_dirs.emplace_back(include + "/cccl");
  }

  /// A variable that names no toolkit is most likely a mistake.
  void check_variable() {
    const bool is_home = !search_.cuda_home.empty();
    const std::string& named = is_home ? search_.cuda_home : search_.cuda_path;
    if (named.empty() || toolkit_.root == plain_root(named)) return;
    const std::string used = toolkit_.root ? *toolkit_.root : toolkit_.nvrtc.value_or("none");
    toolkit_.warning = std::string(is_home ? "CUDA_HOME is " : "CUDA_PATH is ") + named +
                       (exists(named) ? ", which has neither NVRTC nor CUDA's headers" : ", which is not there") +
                       "; the toolkit used is " + used;
  }

  void note(std::string place) override { toolkit_.searched.push_back(std::move(place)); }

  const ToolkitSearch& search_;
  Toolkit toolkit_;
};

}  // namespace

ToolkitSearch ToolkitSearch::from_environment() {
  const auto value = [](const char* name) { return environment(name).value_or(std::string()); };
  ToolkitSearch search;
  search.cuda_home = value("CUDA_HOME");
  search.cuda_path = value("CUDA_PATH");
  search.path = value("PATH");
  search.virtual_env = value("VIRTUAL_ENV");
  search.conda_prefix = value("CONDA_PREFIX");
  search.home = value("HOME");
  search.library_path = value("LD_LIBRARY_PATH");
  return search;
}

Toolkit find_toolkit(const ToolkitSearch& search) { return Finder(search).run(); }

const Toolkit& current_toolkit() {
  struct Found {
    ForkSafeMutex mutex;
    std::list<Toolkit> all;  // those without NVRTC, then one that has it
  };
  auto& found = fork_safe_instance<Found>();
  static std::atomic<const Toolkit*> complete{nullptr};
  if (const Toolkit* toolkit = complete.load(std::memory_order_acquire)) return *toolkit;

  // Searched without the lock, so that a fork never waits for the disk; two threads may both do it.
  Toolkit fresh = find_toolkit(ToolkitSearch::from_environment());
  const std::lock_guard lock(found.mutex);
  if (const Toolkit* toolkit = complete.load(std::memory_order_acquire)) return *toolkit;
  const bool is_new = found.all.empty() || fresh.nvrtc || fresh.searched != found.all.back().searched;
  if (is_new && !fresh.warning.empty()) log_message(LogLevel::warn, fresh.warning);
  if (is_new) found.all.push_back(std::move(fresh));
  if (found.all.back().nvrtc) complete.store(&found.all.back(), std::memory_order_release);
  return found.all.back();
}

std::string searched_text(const std::vector<std::string>& searched) {
  std::string text = "Searched, in order:";
  for (const std::string& place : searched) text += "\n  " + place;
  return text;
}

std::string installation_advice() {
  return "How to install CUDA's compiler: a toolkit from https://developer.nvidia.com/cuda-downloads or your "
         "distribution (nvidia-cuda-toolkit), or NVIDIA's Python wheels: pip install nvidia-cuda-nvrtc, "
         "which from 13.3 on brings the headers for kernels; before that with nvidia-cuda-runtime nvidia-cuda-cccl "
         "(CUDA 12: the same names with -cu12). Where it is installed already, "
         "set CUDA_HOME to the folder that holds its include and lib64 folders.";
}

}  // namespace kiln
