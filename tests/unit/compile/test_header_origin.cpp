#include "compile/header_origin.hpp"

#include <doctest/doctest.h>

using namespace kiln;

TEST_CASE("a header is the toolkit's or the system's by its place, and own below the request's own roots") {
  HeaderSearch search;
  search.toolkit = {"/cuda/include"};
  search.system = {"/usr"};
  search.roots.paths = {"/usr/src/mine", "/usr/share/other"};
  search.own_roots = 1;
  CHECK(origin_of("/cuda/include/cuda.h", search) == HeaderOrigin::toolkit);
  CHECK(origin_of("/usr/include/stdio.h", search) == HeaderOrigin::toolkit);
  CHECK(origin_of("/usr/share/other/a.h", search) == HeaderOrigin::toolkit);
  CHECK(origin_of("/usr/src/mine/a.h", search) == HeaderOrigin::own);
  CHECK(origin_of("/home/a.h", search) == HeaderOrigin::own);
  CHECK(is_in_system("/usr/src/mine/a.h", search));
  CHECK_FALSE(is_in_system("/home/a.h", search));
}

TEST_CASE("the rest of a system header's path is what sources name it by") {
  CHECK(rest_in_system("/usr/include/stdio.h") == "stdio.h");
  CHECK(rest_in_system("/usr/include/x86_64-linux-gnu/sys/types.h") == "sys/types.h");
  CHECK(rest_in_system("/usr/include/c++/12/bits/move.h") == "bits/move.h");
  CHECK(rest_in_system("/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h") == "stddef.h");
  CHECK(rest_in_system("/usr/lib/gcc/x86_64-linux-gnu/12/include-fixed/limits.h") == "limits.h");
}
