#include "worker/dependencies/header_origin.hpp"

#include "base/path_text.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

HeaderOrigin origin_of(const std::string& path, const HeaderSearchPaths& search) {
  for (const std::string& root : search.toolkit)
    if (rest_below(path, root)) return HeaderOrigin::toolkit;
  const bool is_in_system = std::any_of(search.system.begin(), search.system.end(), [&path](const std::string& folder) {
    return rest_below(path, folder).has_value();
  });
  if (!is_in_system) return HeaderOrigin::own;
  for (std::size_t i = 0; i < search.own_roots; ++i)
    if (rest_below(path, search.roots.paths[i])) return HeaderOrigin::own;
  return HeaderOrigin::toolkit;
}

}  // namespace kiln
