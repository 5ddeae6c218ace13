#include "template/line_numbers.hpp"

#include <doctest/doctest.h>

namespace line_numbers_test {

using namespace kiln;

namespace {

/// A text whose lines begin with their numbers and a bar.
std::string numbered(std::string_view lines) {
  std::string text;
  std::vector<LineMark> marks;
  while (!lines.empty()) {
    const std::size_t bar = lines.find('|');
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
    if (bar > 0) marks.push_back({text.size(), std::stoul(std::string(lines.substr(0, bar)))});
    text += lines.substr(bar + 1, end - bar - 1);
    lines.remove_prefix(end);
  }
  return with_line_numbers(text, marks);
}

}  // namespace

TEST_CASE("a number is given where the compiler's own would be wrong") {
  CHECK(numbered("1|a\n2|b\n5|c\n6|d\n5|e") == "a\nb\n#line 5\nc\nd\n#line 5\ne");
  CHECK(numbered("3|a") == "#line 3\na");
  CHECK(numbered("1|a\n|b\n2|c") == "a\n#line 1\nb\nc");
  CHECK(numbered("1|a\n5|  \n7|\n9|b\n") == "a\n  \n\n#line 9\nb\n");
  CHECK(with_line_numbers("", {}).empty());
}

TEST_CASE("none stands in a comment, a raw literal or a line that goes on") {
  CHECK(numbered("1|a /*\n5|b\n6|*/ c\n7|d") == "a /*\nb\n*/ c\n#line 7\nd");
  CHECK(numbered("1|R\"(\n5|b\n6|)\" c\n7|d") == "R\"(\nb\n)\" c\n#line 7\nd");
  CHECK(numbered("1|#define A \\\n5|b \\\n6|c\n7|d") == "#define A \\\nb \\\nc\n#line 7\nd");
  CHECK(numbered("1|// a \\\n5|b\n6|d") == "// a \\\nb\n#line 6\nd");
  CHECK(numbered("1|// a /*\n5|b") == "// a /*\n#line 5\nb");
  CHECK(numbered("1|\"/*\"\n5|b") == "\"/*\"\n#line 5\nb");
}

TEST_CASE("none stands between a macro's name and its parenthesis") {
  CHECK(numbered("1|M\n5| (a,\n6|b)\n7|c") == "M\n (a,\n#line 6\nb)\nc");
}

TEST_CASE("a number in a group that may be left out is given again behind it") {
  CHECK(numbered("1|#if A\n3|a\n4|#endif\n5|b\n6|c") == "#if A\n#line 3\na\n#endif\n#line 5\nb\nc");
  CHECK(numbered("1|#if A\n3|a\n4|#else\n5|b\n6|#endif\n7|c") ==
        "#if A\n#line 3\na\n#else\n#line 5\nb\n#endif\n#line 7\nc");
  CHECK(numbered("1|#ifdef A\n2| # if B\n4|a\n5|#endif\n6|#endif\n7|c") ==
        "#ifdef A\n # if B\n#line 4\na\n#endif\n#line 6\n#endif\n#line 7\nc");
  CHECK(numbered("1|#if A\n2|a\n3|#endif\n4|b") == "#if A\na\n#endif\nb");
  CHECK(numbered("1|#endif\n2|#else\n3|b") == "#endif\n#else\nb");
}

}  // namespace line_numbers_test
