#include "worker/header_origin.hpp"

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

}  // namespace header_origin_test
