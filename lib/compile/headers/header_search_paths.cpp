#include "compile/headers/header_search_paths.hpp"

#include "base/path_text.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

std::string working_folder_root(const std::string& working_folder) { return joined(working_folder, "./."); }

std::string plain_path(const std::string& path) {
  const std::size_t mark = (path + "/").find("/././");
  if (mark == std::string::npos) return path;
  return path.size() <= mark + 5 ? path.substr(0, std::max<std::size_t>(mark, 1))
                                 : path.substr(0, mark) + path.substr(mark + 4);
}

// From Debian 13 and in Ubuntu 24.04 GCC's own programs are in /usr/libexec.
std::vector<std::string> host_compiler_folders() {
  return {"/usr/include", "/usr/lib", "/usr/libexec", "/usr/local/include"};
}

}  // namespace kiln
