// host_child.cpp, as a program to run.
#pragma once

#include <filesystem>

namespace kiln::test {

inline std::filesystem::path host_child() {
  return std::filesystem::path(KILN_LINK_CHILD).replace_filename("host_child");
}

}  // namespace kiln::test
