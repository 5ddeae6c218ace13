#include "base/path_text.hpp"

#include <doctest/doctest.h>

namespace path_text_test {

using namespace kiln;

TEST_CASE("a path's folder is what stands before its last part") {
  CHECK(folder_of("/a/b.h") == "/a");
  CHECK(folder_of("a/b.h") == "a");
  CHECK(folder_of("/b.h").empty());
  CHECK(folder_of("b.h").empty());
}

TEST_CASE("a name is joined to a folder unless it is absolute") {
  CHECK(joined("/a", "b.h") == "/a/b.h");
  CHECK(joined("/", "b.h") == "/b.h");
  CHECK(joined("", "b.h") == "b.h");
  CHECK(joined("/a", "/b.h") == "/b.h");
}

TEST_CASE("a path lies below a folder whose name it holds whole") {
  CHECK(rest_below("/a/b/c.h", "/a") == "b/c.h");
  CHECK(rest_below("/a/b", "/a/b") == "");
  CHECK(rest_below("/c.h", "/") == "c.h");
  CHECK_FALSE(rest_below("/ab/c.h", "/a"));
}

TEST_CASE("folders are made absolute, without a slash at their end") {
  CHECK(absolute_folder("a/", "/w") == "/w/a");
  CHECK(absolute_folder("a", "/") == "/a");
  CHECK(absolute_folder("//", "/w") == "/");
  CHECK(folder_of_name("a/b.cu", "/w") == "/w/a");
  CHECK(folder_of_name("b.cu", "/w") == "/w");
  CHECK(folder_of_name("/b.cu", "/w") == "/");
}

}  // namespace path_text_test
