#include "worker/dependencies/header_origin.hpp"

#include <doctest/doctest.h>

namespace header_origin_test {

using namespace kiln;

TEST_CASE("a header is the toolkit's or the system's by its place, and own below the request's own roots") {
  HeaderSearchPaths search;
  search.toolkit = {"/cuda/include"};
  search.system = {"/usr"};
  search.roots.paths = {"/usr/src/mine", "/usr/share/other"};
  search.own_roots = 1;
  CHECK(origin_of("/cuda/include/cuda.h", search) == HeaderOrigin::toolkit);
  CHECK(origin_of("/usr/include/stdio.h", search) == HeaderOrigin::toolkit);
  CHECK(origin_of("/usr/share/other/a.h", search) == HeaderOrigin::toolkit);
  CHECK(origin_of("/usr/src/mine/a.h", search) == HeaderOrigin::own);
  CHECK(origin_of("/home/a.h", search) == HeaderOrigin::own);
}

TEST_CASE("GCC's programs and headers are the system's in each distribution's folders") {
  HeaderSearchPaths search;
  search.system = host_compiler_folders();
  for (const char* path : {"/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus", "/usr/libexec/gcc/x86_64-linux-gnu/14/cc1plus",
                           "/usr/lib/gcc/x86_64-linux-gnu/14/include/stddef.h", "/usr/include/c++/14/cmath"})
    CHECK_MESSAGE(origin_of(path, search) == HeaderOrigin::toolkit, path);
}

}  // namespace header_origin_test
