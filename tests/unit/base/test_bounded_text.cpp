#include "base/bounded_text.hpp"

#include <doctest/doctest.h>

namespace bounded_text_test {

using namespace kiln;

TEST_CASE("a text is cut at a character's border, and says how much is left out") {
  CHECK(bounded("abc", 3) == "abc");
  CHECK(bounded("abcd", 3) == "abc... (1 more byte)");
  CHECK(bounded("", 0).empty());
  CHECK(left_out_text(70, "log() has all") == "... (70 more bytes: log() has all)");
  const std::string euros = "a\xE2\x82\xAC\xE2\x82\xAC";  // a, and two characters of three bytes
  CHECK(bounded(euros, 4) == "a\xE2\x82\xAC... (3 more bytes)");
  CHECK(bounded(euros, 5) == "a\xE2\x82\xAC... (3 more bytes)");
  CHECK(bounded(euros, 3) == "a... (6 more bytes)");
  CHECK(bounded(std::string(9, '\x80'), 7) == std::string(7, '\x80') + "... (2 more bytes)");  // no UTF-8
}

TEST_CASE("an excerpt shows what is around a place") {
  const auto of = [](std::string_view line, std::size_t middle, std::size_t width) {
    const Excerpt part = excerpt(line, middle, width);
    return part.text + " " + std::to_string(part.middle);
  };
  CHECK(of("abc", 1, 5) == "abc 1");
  CHECK(of("0123456789", 0, 4) == "0123... 0");
  CHECK(of("0123456789", 5, 4) == "...3456... 5");
  CHECK(of("0123456789", 9, 4) == "...6789 6");
  CHECK(of("0123456789", 99, 4) == "...6789 7");
  CHECK(of("\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC", 4, 4) == "\xE2\x82\xAC\xE2\x82\xAC... 4");
}

}  // namespace bounded_text_test
