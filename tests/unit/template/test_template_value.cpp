#include "host_float_environment.hpp"

#include <kiln/error.hpp>
#include <kiln/format_percent.hpp>
#include <kiln/template_value.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cfloat>
#include <climits>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <vector>

namespace template_value_test {

using namespace kiln;

namespace {

template <class T>
std::string text(const T& value) {
  return TemplateValue(value).text();
}

}  // namespace

TEST_CASE("integers and truth values are C++ literals") {
  CHECK(text(5) == "5");
  CHECK(text(std::int8_t{-5}) == "-5");
  CHECK(text(std::uint8_t{200}) == "200");
  CHECK(text(std::size_t{1} << 40) == "1099511627776");
  CHECK(text(LLONG_MAX) == "9223372036854775807");
  CHECK(text(LLONG_MIN) == "(-9223372036854775807 - 1)");
  CHECK(text(ULLONG_MAX) == "18446744073709551615u");
  CHECK(text(true) == "true");
  CHECK(text(false) == "false");
}

TEST_CASE("floating values are the shortest literals of their type that read back") {
  CHECK(text(1.0F) == "1.0f");
  CHECK(text(0.1F) == "0.1f");
  CHECK(text(0.1) == "0.1");
  CHECK(text(-2.0) == "-2.0");
  CHECK(text(1e30) == "1e+30");
  CHECK(text(1e30F) == "1e+30f");
  CHECK(text(-0.0F) == "-0.0f");
  for (const double value : {1.0 / 3, DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 123456789.0, 1e22})
    CHECK(std::strtod(text(value).c_str(), nullptr) == value);
  for (const float value : {1.0F / 3, FLT_MAX, FLT_TRUE_MIN, 16777216.0F})
    CHECK(std::strtof(text(value).c_str(), nullptr) == value);
  for (const double value : {INFINITY, -INFINITY, NAN}) {
    CHECK_THROWS_WITH_AS(TemplateValue{value}, doctest::Contains("has no literal in CUDA C++"), ArgumentError);
    CHECK_THROWS_AS(TemplateValue{static_cast<float>(value)}, ArgumentError);
  }
}

TEST_CASE("the locale has no say") {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) return;
  CHECK(text(1234.5) == "1234.5");
  CHECK(text(1234567) == "1234567");
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("sequences are joined, inner ones in braces") {
  CHECK(text(std::vector<int>{1, 2, 3}) == "1, 2, 3");
  CHECK(text(std::vector<int>{}) == "");
  CHECK(text(std::array<float, 2>{1, 0.5F}) == "1.0f, 0.5f");
  CHECK(text(std::list<std::string>{"a", "b"}) == "a, b");
  CHECK(text(std::vector<bool>{true, false}) == "true, false");
  CHECK(text(std::vector<std::vector<int>>{{1, 2}, {3}, {}}) == "{1, 2}, {3}, {}");
  const double array[] = {1, 2};
  CHECK(text(array) == "1.0, 2.0");
}

TEST_CASE("strings are as they are") {
  CHECK(text("a b") == "a b");
  CHECK(text(std::string("a")) == "a");
  CHECK(text(std::string_view("abc").substr(1)) == "bc");
  CHECK_FALSE(TemplateValue("a").is_block());
  CHECK(TemplateValue(CodeBlock{"a\nb"}).is_block());
  // A character is neither; 0 is a number and no text.
  CHECK(text(0) == "0");
  CHECK_FALSE(std::is_constructible_v<TemplateValue, const void*>);
}

TEST_CASE("the text of a number is the same in every floating-point environment") {
  const std::vector<double> values{0.1, 1.0 / 3, 2.5, 1e22, 123456789.125, 5e-324, 1e-40, 3.4e38, -0.7};
  const std::vector<float> singles(values.begin(), values.end());
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const float value : singles) all.push_back(text(value));
    for (const double value : values)
      all.push_back(text(value) + format_percent("%(x)s %(x)r %(x)f %(x).3e %(x)g", {{"x", value}}));
    return all;
  };
  const std::vector<std::string> right = texts();
  for (const std::string& name : test::HostFloatEnvironment::names()) {
    CAPTURE(name);
    std::vector<std::string> there;
    {
      const test::HostFloatEnvironment host(name);
      there = texts();
    }
    CHECK(there == right);
  }
}

}  // namespace template_value_test
