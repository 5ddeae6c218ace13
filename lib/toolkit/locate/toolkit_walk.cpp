#include "toolkit/locate/toolkit_walk.hpp"

#include "base/path_text.hpp"
#include "toolkit/locate/toolkit_places.hpp"

namespace kiln {

namespace fs = std::filesystem;

void ToolkitWalk::walk(const ToolkitSearch& search) {
  walk_named_roots(search);
  if (!complete()) walk_default_roots(search);
  if (!complete()) walk_wheels(search);
  if (!complete()) walk_loader_path(search);
}

void ToolkitWalk::walk_named_roots(const ToolkitSearch& search) {
  const auto variable = [&](const char* name, const std::string& value) {
    if (complete()) return;
    note(std::string(name) + (value.empty() ? ": not set" : ": " + value));
    if (!value.empty()) enter_root(value);
  };
  variable("CUDA_HOME", search.cuda_home);
  variable("CUDA_PATH", search.cuda_path);
  if (complete()) return;
  const auto nvcc = find_program(search.path, "nvcc");
  const std::string root = nvcc ? folder_of(folder_of(*nvcc)) : std::string();
  note("the nvcc on PATH: " + (nvcc ? root : std::string("none")));
  if (nvcc) enter_root(root);
}

void ToolkitWalk::walk_default_roots(const ToolkitSearch& search) {
  for (const fs::path& root : default_toolkit_roots(search)) {
    if (complete()) return;
    note("the default install folder " + root.string());
    enter_root(root.string());
  }
}

void ToolkitWalk::walk_wheels(const ToolkitSearch& search) {
  for (const fs::path& packages : python_package_dirs(search)) {
    if (complete()) return;
    const fs::path nvidia = packages / "nvidia";
    note("NVIDIA's Python wheels in " + nvidia.string());
    if (!exists(nvidia.string())) continue;
    enter_root((nvidia / "cu13").string());
    if (!complete()) look_in_cuda_12_wheels(nvidia.string());
  }
}

void ToolkitWalk::walk_loader_path(const ToolkitSearch& search) {
  for (const fs::path& folder : loader_dirs(search)) {
    if (has_library()) return;
    note("the loader's folder " + folder.string());
    look_in_loader_folder(folder.string());
  }
}

std::string ToolkitWalk::plain_root(std::string root) {
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  return followed(root).value_or(root);
}

void ToolkitWalk::enter_root(const std::string& root) { look_in_root(plain_root(root)); }

}  // namespace kiln
