#include "compile/headers/header_search.hpp"

#include "base/path_text.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

std::string floating_folder(const std::string& working_folder) { return joined(working_folder, "./."); }

std::string settled_path(const std::string& floating) {
  const std::size_t mark = (floating + "/").find("/././");
  if (mark == std::string::npos) return floating;
  return floating.size() <= mark + 5 ? floating.substr(0, std::max<std::size_t>(mark, 1))
                                     : floating.substr(0, mark) + floating.substr(mark + 4);
}

}  // namespace kiln
