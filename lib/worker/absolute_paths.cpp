#include "worker/absolute_paths.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace kiln {

namespace {

/// The text as PTX spells it: "47, 116, 109".
std::string decimal(std::string_view text) {
  std::string list;
  for (const char c : text) {
    if (!list.empty()) list += ", ";
    list += std::to_string(static_cast<unsigned char>(c));
  }
  return list;
}

bool holds(std::string_view code, const std::string& text, Target target) {
  if (code.find(text) != std::string_view::npos) return true;
  return target == Target::ptx && code.find(decimal(text)) != std::string_view::npos;
}

}  // namespace

void note_absolute_paths(DependencyReport& report, const HeaderSearchPaths& search, Target target,
                         std::string_view code) {
  std::vector<AbsolutePathDependency>& known = report.dependencies.absolute_paths;
  const bool searchable = target == Target::cubin || target == Target::ptx;
  for (std::size_t i = 0; i < search.own_roots; ++i) {
    const int root = static_cast<int>(i);
    const std::string& path = search.roots.paths[i];
    const std::string folder = search.is_working_folder_root(i) ? plain_path(path) : path;
    const bool spelled = root == search.source_root || report.spelled_roots.count(root) != 0;
    if (!(spelled && (report.uses_own_path || !searchable)) && !(searchable && holds(code, folder + "/", target)))
      continue;
    const AbsolutePathDependency dependency{root, path};
    if (std::find(known.begin(), known.end(), dependency) == known.end()) known.push_back(dependency);
  }
}

}  // namespace kiln
