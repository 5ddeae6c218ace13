#include "toolkit/locate/component_finder.hpp"

#include "base/path_text.hpp"
#include "toolkit/locate/toolkit_places.hpp"
#include "toolkit/locate/toolkit_walk.hpp"

#include <kiln/error.hpp>

#include <string_view>
#include <utility>

namespace kiln {
namespace {

// What is looked for: the file's names, the best first, and the folders that may hold one.
struct Wanted {
  std::vector<std::string> names;
  std::vector<std::string> in_root;            // besides library_folders
  bool in_library_folders = true;              // of a root
  std::vector<std::string> in_cuda_12_wheels;  // below "nvidia"
  bool in_loader_path = true;
};

// The folder of a toolkit whose library folder that is; empty where it is none.
std::string root_of(const std::string& library_folder) {
  std::string longest;
  for (const std::string folder : library_folders)
    if (folder.size() > longest.size() && library_folder.size() > folder.size() &&
        library_folder.compare(library_folder.size() - folder.size(), folder.size(), folder) == 0)
      longest = folder;
  return longest.empty() ? std::string() : library_folder.substr(0, library_folder.size() - longest.size());
}

// "a/nvidia/cuda_nvrtc" gives "a/nvidia".
std::optional<std::string> cuda_12_wheels_of(const std::string& root) {
  constexpr std::string_view component = "/cuda_nvrtc";
  if (root.size() <= component.size() || root.substr(root.size() - component.size()) != component) return std::nullopt;
  return root.substr(0, root.size() - component.size());
}

class ComponentFinder : private ToolkitWalk {
 public:
  ComponentFinder(const Wanted& wanted, const Toolkit& toolkit, const ToolkitSearch& search)
      : wanted_(wanted), toolkit_(toolkit), search_(search) {}

  ComponentSearch run() {
    if (toolkit_.nvrtc) look_beside(*toolkit_.nvrtc);
    if (!complete() && toolkit_.root) {
      note("the toolkit " + *toolkit_.root);
      look_in_root(*toolkit_.root);
      if (!complete()) look_in_cuda_12_wheels(*toolkit_.root);
    }
    if (!complete()) walk(search_);
    return std::move(found_);
  }

 private:
  bool complete() const override { return found_.path.has_value(); }
  bool has_library() const override { return complete() || !wanted_.in_loader_path; }
  void note(std::string place) override { found_.searched.push_back(std::move(place)); }

  void look_beside(const std::string& nvrtc) {
    const std::string folder = folder_of(nvrtc);
    note("beside NVRTC, in " + folder);
    if (wanted_.in_library_folders) take(folder);
    const std::string root = root_of(folder);
    if (complete() || root.empty()) return;
    if (const auto wheels = cuda_12_wheels_of(root)) return look_in_cuda_12_wheels(*wheels);
    look_in_root(root);
  }

  void look_in_root(const std::string& root) override {
    for (const std::string& folder : wanted_.in_root) take(root + folder);
    if (wanted_.in_library_folders)
      for (const char* folder : library_folders) take(root + folder);
  }

  void look_in_cuda_12_wheels(const std::string& nvidia) override {
    for (const std::string& folder : wanted_.in_cuda_12_wheels) take(nvidia + folder);
  }

  void look_in_loader_folder(const std::string& folder) override { take(folder); }

  void take(const std::string& folder) {
    for (const std::string& name : wanted_.names)
      if (!complete()) found_.path = followed(folder + '/' + name);
  }

  const Wanted& wanted_;
  const Toolkit& toolkit_;
  const ToolkitSearch& search_;
  ComponentSearch found_;
};

// Where a folder holds both, that of NVRTC's version, whose LTO-IR it can read.
Wanted nvjitlink(const Toolkit& toolkit) {
  Wanted wanted{{"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"}, {}, true, {"/nvjitlink/lib"}, true};
  if (toolkit.nvrtc && toolkit.nvrtc->find("libnvrtc.so.12") != std::string::npos)
    std::swap(wanted.names[0], wanted.names[1]);
  return wanted;
}

Wanted nvvm() {
  return {{"libnvvm.so.4", "libnvvm.so"},
          {"/nvvm/lib64", "/nvvm/lib"},
          true,
          {"/cuda_nvcc/nvvm/lib64", "/cuda_nvcc/nvvm/lib"},
          true};
}

Wanted libdevice() {
  return {{"libdevice.10.bc"},
          {"/nvvm/libdevice", "/libdevice", "/lib/nvidia-cuda-toolkit/libdevice"},
          false,
          {"/cuda_nvcc/nvvm/libdevice"},
          false};
}

Wanted device_library(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos)
    throw Error("\"" + name +
                "\" is no name of a device library: give it as \"cudadevrt\", or add the file by its path");
  return {{"lib" + name + ".a"}, {}, true, {"/cuda_runtime/lib"}, true};
}

ComponentSearch look_for(const Wanted& wanted, const Toolkit& toolkit, const ToolkitSearch& search) {
  return ComponentFinder(wanted, toolkit, search).run();
}

ComponentSearch look_here(const Wanted& wanted) {
  return look_for(wanted, current_toolkit(), ToolkitSearch::from_environment());
}

std::string require(const Wanted& wanted, const std::string& what, const std::string& advice) {
  const ComponentSearch found = look_here(wanted);
  if (found.path) return *found.path;
  throw ToolkitError("no " + what + ". " + searched_text(found.searched) + '\n' + advice, found.searched);
}

std::string advice_for(const std::string& what, const std::string& wheel_13, const std::string& wheel_12) {
  return "How to install " + what +
         ": a toolkit from https://developer.nvidia.com/cuda-downloads or your distribution, or NVIDIA's Python wheel: "
         "pip install " +
         wheel_13 + " (CUDA 12: " + wheel_12 +
         "). Where it is installed already, set CUDA_HOME to the toolkit's folder.";
}

}  // namespace

ComponentSearch look_for_nvjitlink(const Toolkit& toolkit, const ToolkitSearch& search) {
  return look_for(nvjitlink(toolkit), toolkit, search);
}
ComponentSearch look_for_nvvm(const Toolkit& toolkit, const ToolkitSearch& search) {
  return look_for(nvvm(), toolkit, search);
}
ComponentSearch look_for_libdevice(const Toolkit& toolkit, const ToolkitSearch& search) {
  return look_for(libdevice(), toolkit, search);
}
ComponentSearch look_for_device_library(const std::string& name, const Toolkit& toolkit, const ToolkitSearch& search) {
  return look_for(device_library(name), toolkit, search);
}

std::optional<std::string> find_nvjitlink() { return look_here(nvjitlink(current_toolkit())).path; }
std::optional<std::string> find_nvvm() { return look_here(nvvm()).path; }
std::optional<std::string> find_libdevice() { return look_here(libdevice()).path; }
std::optional<std::string> find_device_library(const std::string& name) { return look_here(device_library(name)).path; }

std::string require_nvjitlink() {
  return require(nvjitlink(current_toolkit()), "nvJitLink (libnvJitLink.so.13 or libnvJitLink.so.12) to link with",
                 nvjitlink_advice());
}
std::string require_nvvm() { return require(nvvm(), "libnvvm (libnvvm.so.4) to compile NVVM IR with", nvvm_advice()); }
std::string require_libdevice() {
  return require(libdevice(), "libdevice (libdevice.10.bc), NVVM's mathematical functions", nvvm_advice());
}
std::string require_device_library(const std::string& name) {
  return require(device_library(name), "device library " + name + " (lib" + name + ".a)",
                 advice_for("CUDA's device libraries", "nvidia-cuda-runtime", "nvidia-cuda-runtime-cu12"));
}

std::string nvjitlink_advice() { return advice_for("nvJitLink", "nvidia-nvjitlink", "nvidia-nvjitlink-cu12"); }
std::string nvvm_advice() { return advice_for("NVVM", "nvidia-nvvm", "nvidia-cuda-nvcc-cu12"); }

}  // namespace kiln
