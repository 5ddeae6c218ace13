#include <kiln/error.hpp>
#include <kiln/substitute.hpp>
#include <kiln/type_name.hpp>

#include <doctest/doctest.h>

namespace substitute_test {

using namespace kiln;

namespace {

std::string message(std::string_view text, const TemplateValues& values = {}) {
  try {
    return "no error, but: " + substitute(text, values);
  } catch (const ArgumentError& error) {
    return error.what();
  }
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const TemplateValues values = {{"a", "A"}, {"ab", "AB"}, {"_x1", "X"}, {"dollar", "$a"}};

}  // namespace

TEST_CASE("names and dollars, as Python's string.Template has them") {
  CHECK(substitute("$a $ab ${a}b $_x1", values) == "A AB Ab X");
  CHECK(substitute("$a.$a$a-$$a $$$a", values) == "A.AA-$a $A");
  CHECK(substitute("$dollar ${dollar}", values) == "$a $a");  // not again
  CHECK(substitute("", values) == "");
  CHECK(substitute("{a} %a #a", values) == "{a} %a #a");
  CHECK(substitute("$a\xC3\xA9", values) == "A\xC3\xA9");  // ASCII names only
  CHECK(substitute("__global__ void f($type* x) { x[$n] = $v; }",
                   {{"type", type_name<float>()}, {"n", 3}, {"v", 1.5F}}) ==
        "__global__ void f(float* x) { x[3] = 1.5f; }");
}

TEST_CASE("what substitute refuses, safe_substitute leaves") {
  for (const char* text :
       {"$c", "${c}", "$", "a$", "$1", "${", "${a", "${}", "${a b}", "$ a", "$-", "${1}", "$\xC3\xA9"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(substitute(text, values), ArgumentError);
    CHECK(safe_substitute(text, values) == text);
  }
  CHECK(safe_substitute("$$ $a ${c $a ${c}$", values) == "$ A ${c A ${c}$");
}

TEST_CASE("errors have line and column") {
  CHECK(message("x\n  $width;", {{"block", 1}, {"type", "int"}}) ==
        "substitute: at line 2, column 3 the template names width, which has no value; there are: block, type. Add a "
        "value, or write $$ for the character $ itself");
  CHECK(has(message("ab$"), "substitute: at line 1, column 3 a $ begins no name"));
  CHECK(has(message("\n\n$x"), "line 3, column 1 "));
  CHECK(has(message("$x"), "there are: none"));
  TemplateValues many;
  for (int i = 10; i < 40; ++i) many.emplace("v" + std::to_string(i), i);
  CHECK(has(message("$x", many), "v29 and 10 more"));
}

TEST_CASE("a value of several lines has to be a block") {
  const std::string text = message("\n f($args);", {{"args", "a,\nb"}});
  CHECK(has(text, "at line 2, column 4 the value of args has several lines; give it as kiln::CodeBlock{text}"));
  CHECK_THROWS_AS(safe_substitute("$a", {{"a", "x\r"}}), ArgumentError);
  CHECK(substitute("unused", {{"a", "x\ny"}}) == "unused");
}

TEST_CASE("behind a block the lines have the template's numbers again") {
  CHECK(substitute("a\n$b\nc\nd\n", {{"b", CodeBlock{"x\ny\nz"}}}) == "a\nx\n#line 2\ny\n#line 2\nz\nc\nd\n");
  CHECK(substitute("a\n$b\nc\n", {{"b", CodeBlock{"one line"}}}) == "a\none line\nc\n");
  CHECK(substitute("$b $b\nc", {{"b", CodeBlock{"x\ny"}}}) == "x\n#line 1\ny x\n#line 1\ny\nc");
}

}  // namespace substitute_test
