#include "template/template_rendering.hpp"

#include <kiln/error.hpp>
#include <kiln/render_template.hpp>

#include "small_stack.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>
#if !defined(__clang__) || __clang_major__ > 15  // older ones do not read the ranges of libstdc++
#include <ranges>
#define KILN_TEST_HAS_VIEWS
#endif

namespace render_template_test {

using namespace kiln;

namespace {

std::string message(std::string_view text, const TemplateObject& data = {}) {
  try {
    return "no error, but: " + render_template(text, data);
  } catch (const ArgumentError& error) {
    return error.what();
  }
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

static_assert(!std::is_constructible_v<TemplateData, int*>, "a pointer is no truth value");
static_assert(std::is_convertible_v<bool, TemplateData>);

TEST_CASE("sections nested as deep as they may be are rendered on a small stack, deeper ones refused") {
  kiln::test::on_small_stack([] {
    const auto nested = [](int depth) {
      return kiln::test::repeated("{@# a @}", depth) + "x" + kiln::test::repeated("{@/ a @}", depth);
    };
    CHECK(kiln::render_template(nested(50), {{"a", true}}) == "x");
    for (const int depth : {51, 10000, 100000})
      CHECK_THROWS_AS((void)kiln::render_template(nested(depth), {{"a", true}}), kiln::ArgumentError);
  });
}

TEST_CASE("values") {
  CHECK(render_template("{@ a @}{@b@}", {{"a", 1}, {"b", "x<y & \"z\""}}) == "1x<y & \"z\"");
  CHECK(render_template("{@ o.p.q @}", {{"o", TemplateObject{{"p", TemplateObject{{"q", 1.5F}}}}}}) == "1.5f");
  CHECK(render_template("{{@ a @}} {@b@} {@c@}", {{"a", std::vector<int>{1, 2}}, {"b", true}, {"c", "{@a@}"}}) ==
        "{1, 2} true {@a@}");
  const TemplateObject matrix = {{"m", std::vector<std::array<int, 2>>{{1, 2}, {3, 4}}}};
  CHECK(render_template("{@ m @}", matrix) == "{1, 2}, {3, 4}");
  CHECK(render_template("a {@! {@ not read @}b", {}) == "a b");
  CHECK(render_template("x @} { @ {{#y}} {{=<% %>=}} $z", {}) == "x @} { @ {{#y}} {{=<% %>=}} $z");
  CHECK(render_template("", {}) == "");
}

TEST_CASE("conditions and objects") {
  const std::string_view text = "{@#on@}yes {@x@}{@/on@}{@^on@}no{@/on@}";
  CHECK(render_template(text, {{"on", true}, {"x", 1}}) == "yes 1");
  CHECK(render_template(text, {{"on", false}}) == "no");
  CHECK(render_template(text, {{"on", TemplateList{}}}) == "no");
  CHECK(render_template(text, {{"on", TemplateObject{{"x", "inner"}}}, {"x", "outer"}}) == "yes inner");
}

TEST_CASE("loops") {
  CHECK(render_template("{@#n@}[{@ . @}]{@/n@}", {{"n", std::vector<int>{1, 2, 3}}}) == "[1][2][3]");
  CHECK(render_template("{@#n@}{@.@}{@^loop.last@}, {@/loop.last@}{@/n@}", {{"n", TemplateList{"a", "b"}}}) == "a, b");
  CHECK(render_template("{@#n@}{@loop.index0@}{@loop.index@}{@loop.first@} {@/n@}", {{"n", TemplateList{"a", "b"}}}) ==
        "01true 12false ");
  const TemplateObject rows = {{"rows", TemplateList{TemplateObject{{"name", "a"}, {"cells", std::vector<int>{1, 2}}},
                                                     TemplateObject{{"name", "b"}, {"cells", std::vector<int>{3}}}}},
                               {"end", ";"}};
  CHECK(render_template(
            "{@#rows@}{@name@}:{@#cells@}{@name@}{@.@}{@loop.index0@} {@/cells@}{@loop.index@}{@end@}{@/rows@}",
            rows) == "a:a10 a21 1;b:b30 2;");
  CHECK(render_template("{@#f@}{@#.@}x{@/.@}{@^.@}y{@/.@}{@/f@}", {{"f", std::vector<bool>{true, false}}}) == "xy");
}

#ifdef KILN_TEST_HAS_VIEWS
TEST_CASE("loops over views, whose conditions C++ computes") {
  CHECK(render_template("{@# i @}f({@ . @});{@/ i @}", {{"i", std::views::iota(0, 3)}}) == "f(0);f(1);f(2);");
  const auto steps = std::views::iota(0, 4) | std::views::transform([](int i) {
                       return TemplateObject{{"i", i}, {"is_even", i % 2 == 0}};
                     });
  CHECK(render_template(
            "{@# steps @}{@ i @}{@# is_even @} even{@/ is_even @}{@^ loop.last @}, {@/ loop.last @}{@/ steps @}",
            {{"steps", steps}}) == "0 even, 1, 2 even, 3");
}
#endif

TEST_CASE("loops over sequences of objects, also of sequences of these") {
  const std::vector<TemplateObject> objects = {{{"i", 1}}, {{"i", 2}}};
  CHECK(render_template("{@# o @}{@ i @}{@/ o @}", {{"o", objects}}) == "12");
  CHECK(render_template("{@# o @}{@# . @}{@ i @}{@/ . @};{@/ o @}", {{"o", std::vector{objects, objects}}}) ==
        "12;12;");
}

TEST_CASE("a line with nothing but a section's tag leaves no line, and those behind keep their numbers") {
  const std::string_view text =
      "first\n"
      "  {@#n@}\n"
      "  f({@.@});\n"
      "  g();\n"
      "  {@/n@}\n"
      "last\n";
  CHECK(render_template(text, {{"n", std::vector<int>{1, 2}}}) ==
        "first\n#line 3\n  f(1);\n  g();\n#line 3\n  f(2);\n  g();\n#line 6\nlast\n");
  CHECK(render_template("a\r\n{@#n@}\r\nb\r\n{@/n@}\r\nc\r\n", {{"n", true}}) == "a\r\n#line 3\nb\r\n#line 5\nc\r\n");
  CHECK(render_template("a\n  {@^n@} \nb\n{@/n@}\nc\n {@#n@}{@/n@}\nd {@#n@}\n{@/n@}", {{"n", true}}) ==
        "a\n#line 5\nc\n#line 7\nd \n");
  // Nothing moves, so nothing is said.
  CHECK(render_template("{@#n@}a{@/n@}\nb\n{@!\n@}\nc", {{"n", true}}) == "a\nb\n#line 5\nc");
}

TEST_CASE("a line that begins within a line of the template has the number of what is seen in it first") {
  CHECK(render_template("{@#off@}x\n\n{@/off@}y\nz", {{"off", false}}) == "#line 3\ny\nz");
  CHECK(render_template("f({@#n@}{@.@},\n  {@/n@}0)", {{"n", TemplateList{"a", "b"}}}) == "f(a,\n#line 1\n  b,\n  0)");
  // Behind the last line of a round that has no end of its own.
  CHECK(render_template("{@#n@}\na\nb\nc\nlonger than those{@/n@}", {{"n", TemplateList{1, 2}}}) ==
        "#line 2\na\nb\nc\nlonger than thosea\n#line 3\nb\nc\nlonger than those");
}

TEST_CASE("blocks of several lines") {
  CHECK(render_template("{\n{@b@}\nlast", {{"b", CodeBlock{"x;\ny;"}}}) == "{\nx;\n#line 2\ny;\nlast");
  CHECK(has(message("{\n {@b@}", {{"b", "x\ny"}}), "at line 2, column 2 the value of b has several lines"));
}

TEST_CASE("errors have line and column, and what there is") {
  CHECK(message("a\n {@ nme @}", {{"name", 1}, {"n", 2}}) ==
        "render_template: at line 2, column 2 nme is not among the data; there are: n, name");
  CHECK(has(message("{@ o.x @}", {{"o", TemplateObject{{"y", 1}}}}), "x of o.x is not among the data; there are: y"));
  CHECK(has(message("{@#n@}{@m@}{@/n@}", {{"n", TemplateList{TemplateObject{{"p", 1}}}}}),
            "line 1, column 7 m is not among the data; there are: n, p, and loop.index"));
  CHECK(has(message("{@#m@}{@/m@}"), "m is not among the data; there are: none"));
  CHECK(has(message("{@ . @}"), "stands in no loop"));
  CHECK(has(message("{@ loop.index @}"), "loop of loop.index is not among"));
  CHECK(has(message("x\n{@#a@}\n", {{"a", true}}), "line 2, column 1 a section is not closed by {@/a@}: {@#a@}"));
  CHECK(has(message("{@#a@}\n{@#b@}{@/a@}{@/b@}"), "line 2, column 7 a tag closes another section than the one"));
  CHECK(has(message("{@/a@}"), "closes a section that was not opened"));
  CHECK(has(message("{@ a\n @}"), "a tag is not closed by @} on its line: {@ a"));
  CHECK(has(message("{@! a"), "not closed"));
  CHECK(has(message("{@> a @}"), "no tag is written so"));
  CHECK(has(message("{@=<% %>=@}"), "no tag is written so"));
  CHECK(has(message("{@p bra L;@}"), "has no name such as"));
  CHECK(has(message("{@# @}"), "has no name"));
  CHECK(has(message("{@@}"), "no tag is written so"));
  CHECK(has(message("{@#a@}{@/a@}", {{"a", "text"}}), "the section is over a, which is a value"));
  CHECK(has(message("{@a@}", {{"a", TemplateObject{}}}), "a is an object"));
}

TEST_CASE("an error leaves nothing behind that matters, wherever it is thrown") {
  const TemplateObject data = {{"a", TemplateList{1, TemplateObject{{"x", 1}}}}, {"b", std::vector<int>{1, 2}}};
  CHECK(has(message("{@#a@}{@#b@}{@#b@}{@x@}{@/b@}{@/b@}{@/a@}", data), "x is not among"));
  CHECK(has(message("{@#b@}{@#a@}{@x@}{@/a@}{@/b@}", data), "x is not among"));
}

TEST_CASE("many tags on one long line") {  // minutes, where each looks for the line's end
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "{@!            @}";
  CHECK(render_template(text + "a", {}) == "a");
}

TEST_CASE("bounds") {
  std::string deep, end;
  for (int i = 0; i < 51; ++i) deep += "{@#b@}", end += "{@/b@}";
  CHECK(has(message(deep + end, {{"b", true}}), "more than 50 deep"));
  const TemplateObject data = {{"b", std::vector<int>(10)}};
  CHECK(has(message(deep.substr(0, 12 * 6) + end.substr(0, 12 * 6), data), "grows beyond"));
  RenderLimits limits;
  limits.bytes = 100;
  CHECK_THROWS_AS(rendered("{@#b@}01234567890{@/b@}", data, limits), ArgumentError);
  limits.bytes = 110;
  CHECK(rendered("{@#b@}01234567890{@/b@}", data, limits).size() == 110);
}

}  // namespace render_template_test
