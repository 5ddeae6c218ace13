#include <kiln/error.hpp>
#include <kiln/format_percent.hpp>
#include <kiln/log.hpp>
#include <kiln/substitute.hpp>
#include <kiln/type_name.hpp>

#include <doctest/doctest.h>
#include <percent_table.hpp>

#include <array>
#include <clocale>
#include <string>
#include <vector>

namespace format_percent_test {

using namespace kiln;

namespace {

std::string message(std::string_view text, const TemplateValues& values = {}) {
  try {
    return "no error, but: " + format_percent(text, values);
  } catch (const ArgumentError& error) {
    return error.what();
  }
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::optional<std::string> made(const PercentRow& row) {
  try {
    return format_percent(row.format, {{"n", percent_values.at(row.value)}, {"a(b)c", 3}});
  } catch (const ArgumentError&) {
    return std::nullopt;
  }
}

/// What Kiln warns of.
class Warnings {
 public:
  Warnings() {
    set_log_handler([this](LogLevel, const std::string& text) { all.push_back(text); });
  }
  ~Warnings() { set_log_handler({}); }
  std::vector<std::string> all;
};

}  // namespace

TEST_CASE("format_percent makes what CPython makes, and refuses what it refuses") {
  std::size_t refused = 0;
  for (const PercentRow& row : percent_rows) {
    const std::optional<std::string> text = made(row);
    refused += text ? 0 : 1;
    if (text == row.made) continue;
    CAPTURE(row.format);
    CAPTURE(percent_values.at(row.value).text());
    CAPTURE(text.value_or("refused"));
    FAIL_CHECK(row.made.value_or("to be refused"));
  }
  CHECK(std::size(percent_rows) > 5000);
  CHECK(refused > 1000);
  CHECK(refused < std::size(percent_rows) * 2 / 3);
}

TEST_CASE("a kernel's text") {
  CHECK(format_percent("__global__ void f(%(type)s *x) { x[%(n)d %% 3] = %(v).2f; }",
                       {{"type", type_name<float>()}, {"n", 4}, {"v", 1.5}}) ==
        "__global__ void f(float *x) { x[4 % 3] = 1.50; }");
  CHECK(format_percent("%(a)s", {{"a", "%(b)s"}}) == "%(b)s");  // not again
}

TEST_CASE("float is as numpy.float32, which has its own shortest digits") {
  CHECK(format_percent("%(x)s %(x)r %(x).3f %(x).10f", {{"x", 0.1F}}) == "0.1 0.1 0.100 0.1000000015");
  CHECK(format_percent("%(x)s", {{"x", 16777216.0F}}) == "16777216.0");
}

TEST_CASE("format_percent: the locale has no say") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
    MESSAGE("skipped: no locale de_DE.UTF-8");
    return;
  }
  const std::string text = format_percent("%(x)f %(x)g %(x)s", {{"x", 1234567.5}});
  std::setlocale(LC_ALL, before.c_str());
  CHECK(text == "1234567.500000 1.23457e+06 1234567.5");
}

TEST_CASE("format_percent's errors have line and column, and a way out") {
  CHECK(message("x\n  %(width)d;", {{"block", 1}, {"type", "int"}}) ==
        "format_percent: at line 2, column 3 the text names width, which has no value; there are: block, type");
  CHECK(has(message("i % 4"), "line 1, column 3 the format ends before its conversion"));
  CHECK(has(message("i % n;"), "line 1, column 3 'n' is no conversion; there are d i u"));
  CHECK(has(message("i % n;"), "or %% for the character itself"));
  CHECK(has(message("\n%d", {{"n", 1}}), "line 2, column 1 %d names no value, and values go by name here"));
  CHECK(has(message("%(n)*d", {{"n", 1}}), "a width of * takes the next value in order"));
  CHECK(has(message("%(n).*d", {{"n", 1}}), "a precision of * takes the next value in order"));
  CHECK(has(message("%(n", {{"n", 1}}), "the name behind %( has no end"));
  CHECK(has(message("%(n)\xC3\xA9", {{"n", 1}}), "this character is no conversion"));
  CHECK(has(message("%(n)d", {{"n", "4"}}), "%(n)d: the value of n is a text; this conversion takes a number"));
  CHECK(has(message("%(n)x", {{"n", 1.5}}), "%(n)x: the value of n is no integer, which this conversion takes"));
  CHECK(has(message("%(n)c", {{"n", "ab"}}), "no single character"));
  CHECK(has(message("%(n)c", {{"n", 0xD800}}), "no character of UTF-8"));
  CHECK(has(message("%(n)c", {{"n", -1}}), "no character of UTF-8"));
  CHECK(has(message("%(n)s", {{"n", std::array<int, 2>{1, 2}}}), "the value of n is a sequence"));
  CHECK(has(message("%(n)r", {{"n", "\xC3\xA9"}}), "text that is not ASCII"));
  CHECK(has(message("%(n)a", {{"n", "\xC3"}}), "text that is not UTF-8"));
  CHECK(has(message("%(n)65536d", {{"n", 1}}), "a width is beyond 65535"));
  CHECK(has(message("%(n).99999999999999999999d", {{"n", 1}}), "a precision is beyond 65535"));
  std::string long_one;
  for (int i = 0; i < 1100; ++i) long_one += "%(n)65535d";
  CHECK(has(message(long_one, {{"n", 1}}), "the text grows beyond"));
}

TEST_CASE("format_percent: lines have the text's numbers") {
  CHECK(has(message("%(b)s", {{"b", "x\ny"}}), "the value of b has several lines; give it as kiln::CodeBlock{text}"));
  CHECK(format_percent("a\n%(b)s\nc\n", {{"b", CodeBlock{"x\ny"}}}) == "a\nx\n#line 2\ny\nc\n");
  CHECK(format_percent("%(b)r\nc", {{"b", "x\ny"}}) == "'x\\ny'\nc");
  CHECK(format_percent("%(a\nb)d\nc\n", {{"a\nb", 1}}) == "1\n#line 3\nc\n");
  CHECK(format_percent("%(b)c\nc\n", {{"b", 10}}) == "\n\n#line 2\nc\n");
}

TEST_CASE("substitute warns, once a call, of a text whose names are Python's other ones") {
  Warnings warnings;
  CHECK(substitute("\n%(n)d %(n)s %(m)s", {{"n", 4}, {"m", 5}}) == "\n%(n)d %(n)s %(m)s");
  REQUIRE(warnings.all.size() == 1);
  CHECK(warnings.all[0] ==
        "substitute: the text has no $name, but %(n) at line 2, column 1, which stays as it is: for names of that kind "
        "there is kiln::format_percent");
  safe_substitute("%(n)5.3f $$", {{"n", 4}});
  CHECK(warnings.all.size() == 2);
  for (const char* text : {"$n %(n)d", "${n}%(n)d", "i %(m)d", "i %(n)/2", "%(n", "%(n)", "%()d", "i %n", "n"}) {
    CAPTURE(text);
    safe_substitute(text, {{"n", 4}});
    CHECK(warnings.all.size() == 2);
  }
}

}  // namespace format_percent_test
