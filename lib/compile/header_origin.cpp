#include "compile/header_origin.hpp"

#include "base/path_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kiln {

HeaderOrigin origin_of(const std::string& path, const HeaderSearch& search) {
  for (const std::string& root : search.toolkit)
    if (rest_below(path, root)) return HeaderOrigin::toolkit;
  if (!is_in_system(path, search)) return HeaderOrigin::own;
  for (std::size_t i = 0; i < search.own_roots; ++i)
    if (rest_below(path, search.roots.paths[i])) return HeaderOrigin::own;
  return HeaderOrigin::toolkit;
}

bool is_in_system(const std::string& path, const HeaderSearch& search) {
  return std::any_of(search.system.begin(), search.system.end(),
                     [&path](const std::string& folder) { return rest_below(path, folder).has_value(); });
}

std::string rest_in_system(const std::string& path) {
  std::size_t end = 0;
  for (const std::string_view folder : {"/include/", "/include-fixed/"})
    if (const std::size_t at = path.rfind(folder); at != std::string::npos) end = std::max(end, at + folder.size());
  std::string rest = path.substr(end);
  if (const std::size_t triple = rest.find("-linux-gnu/"); triple != std::string::npos && triple < rest.find('/'))
    rest = rest.substr(rest.find('/') + 1);
  if (rest.compare(0, 4, "c++/") == 0) rest = rest.substr(std::min(rest.find('/', 4), rest.size() - 1) + 1);
  return rest;
}

}  // namespace kiln
