// Dependencies checked by themselves, as a look-up with one variant does.
#pragma once

#include "cache/dependencies.hpp"

#include <string>

namespace kiln::test {

inline Freshness check_now(FileSystem& files, const Roots& roots, Dependencies& dependencies,
                           std::string* what = nullptr) {
  FileObserver observer(files, false);
  return check_dependencies(observer, roots, dependencies, what, {});
}

}  // namespace kiln::test
