#include "base/json_object.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace json_object_test {

using namespace kiln;

TEST_CASE("fields, in order, on one line") {
  JsonObject object;
  object.add("text", "a \"b\"\\\n\t\x01").add("number", -3).add("flag", true);
  object.add("list", std::vector<std::string>{"x", ""});
  object.add("pairs", std::vector<std::pair<std::string, std::string>>{{"a", "b"}});
  object.add_json("inner", JsonObject().text());
  CHECK(object.text() ==
        R"({"text":"a \"b\"\\\n\t\u0001","number":-3,"flag":true,"list":["x",""],"pairs":[["a","b"]],"inner":{}})");
}

TEST_CASE("UTF-8 stays, and other bytes are base64") {
  CHECK(json_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") == "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
  CHECK(json_text(std::string("\0", 1)) == "\"\\u0000\"");
  const std::pair<std::string, std::string> others[] = {
      {"\xe4", "5A=="},                  // Latin-1
      {"a\xff", "Yf8="},                 //
      {"ab\xc3", "YWLD"},                // cut off
      {"\xc0\x80", "wIA="},              // too long a form
      {"\xed\xa0\x80", "7aCA"},          // half of a pair of UTF-16
      {"\xf5\x80\x80\x80", "9YCAgA=="},  // beyond Unicode
  };
  for (const auto& [bytes, base64] : others) CHECK(json_text(bytes) == "{\"base64\":\"" + base64 + "\"}");
}

TEST_CASE("values of all kinds") {
  JsonObject object;
  object.add("large", UINT64_MAX).add("small", INT64_MIN).add("double", 2.0).add("literal", "x");
  object.add("none", std::optional<int>()).add("some", std::optional<std::string>("y"));
  object.add("set", std::set<std::string>{"b", "a"}).add("sizes", std::vector<unsigned>{1, 2});
  CHECK(
      object.text() ==
      R"({"large":18446744073709551615,"small":-9223372036854775808,"double":2.0,"literal":"x","none":null,"some":"y",)"
      R"("set":["a","b"],"sizes":[1,2]})");
}

TEST_CASE("a number is the shortest that reads back, with a point or an exponent") {
  const std::pair<double, const char*> numbers[] = {{0, "0.0"},
                                                    {-0.0, "-0.0"},
                                                    {1, "1.0"},
                                                    {-12.5, "-12.5"},
                                                    {0.1, "0.1"},
                                                    {1e-4, "0.0001"},
                                                    {1e-5, "1e-05"},
                                                    {1e14, "100000000000000.0"},
                                                    {1e15, "1e+15"},
                                                    {2.5e-9, "2.5e-09"},
                                                    {1e100, "1e+100"},
                                                    {5e-324, "5e-324"},
                                                    {1.7976931348623157e308, "1.7976931348623157e+308"},
                                                    {123456789012345.6, "123456789012345.6"},
                                                    {1.938069e-09, "1.938069e-09"},
                                                    {std::nan(""), "null"},
                                                    {HUGE_VAL, "null"},
                                                    {-HUGE_VAL, "null"}};
  for (const auto& [number, text] : numbers) CHECK(json_number(number) == text);
}

TEST_CASE("a report's texts are strings, whatever their bytes are") {
  CHECK(json_report_text("\"\\\n\t\r\b\f\x01\x7f/ \xc3\xa4") == "\"\\\"\\\\\\n\\t\\r\\b\\f\\u0001\x7f/ \xc3\xa4\"");
  const std::string other = "\xef\xbf\xbd";
  const std::pair<std::string, std::string> texts[] = {
      {"\xe4", other},                              // Latin-1
      {"a\xff\xfe z", "a" + other + other + " z"},  //
      {"\xe2\x82", other},                          // cut off: one begin of a character
      {"\xe2\x82\xe2\x82\xac", other + "\xe2\x82\xac"},
      {"\xf0\x9f\x98 x", other + " x"},
      {"\xc0\x80", other + other},              // too long a form
      {"\xed\xa0\x80", other + other + other},  // half of a pair of UTF-16
  };
  for (const auto& [bytes, valid] : texts) CHECK(json_report_text(bytes) == '"' + valid + '"');
  CHECK(JsonReport().add("\xe4", "\r").text() == "{\"" + other + "\":\"\\r\"}");
}

TEST_CASE("indented: a line a value, and what is in a text stays") {
  CHECK(json_indented("1") == "1");
  CHECK(json_indented("{}") == "{}");
  CHECK(json_indented(R"({"a":[],"b":{},"c":[1,{"d":"[{\"x\\\\\":1,}]"}],"e":null})") == R"({
  "a": [],
  "b": {},
  "c": [
    1,
    {
      "d": "[{\"x\\\\\":1,}]"
    }
  ],
  "e": null
})");
}

}  // namespace json_object_test
