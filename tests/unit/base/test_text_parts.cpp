#include "base/text_parts.hpp"

#include <doctest/doctest.h>

namespace text_parts_test {

using namespace kiln;

TEST_CASE("parts are taken off a text one by one, the empty ones too") {
  std::string_view text = "a,,b,";
  CHECK(next_part(text, ',') == "a");
  CHECK(next_part(text, ',') == "");
  CHECK(next_part(text, ',') == "b");
  CHECK(text.empty());  // a separator at the end ends the last part
  CHECK(next_part(text, ',') == "");
}

TEST_CASE("a line ends before its end of line, or with the text") {
  std::string_view text = "one\n\ntwo";
  CHECK(next_line(text) == "one");
  CHECK(next_line(text) == "");
  CHECK(next_line(text) == "two");
  CHECK(text.empty());
}

TEST_CASE("a list has no empty parts") {
  CHECK(split("", ':').empty());
  CHECK(split("::", ':').empty());
  CHECK(split(":/a::/b:", ':') == std::vector<std::string>{"/a", "/b"});
}

}  // namespace text_parts_test
