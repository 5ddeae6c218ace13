#include "base/json_value.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace json_value_test {

using namespace kiln;

namespace {

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("what is wrong with somebody's JSON is said in Kiln's words") {
  CHECK(error_of([] { parsed_json("{\n  \"a\": nonsense\n}"); }) == "it is no JSON: line 2, column 9");
  CHECK(error_of([] { parsed_json(""); }) == "it is no JSON: line 1, column 1");
  CHECK(error_of([] { parsed_json("[1e999]"); }) == "it has a number that no double can hold");
  const JsonValue json = parsed_json(R"({"text": "x", "number": 1.5, "list": [1, "x"], "null": null})");
  CHECK(error_of([&] { json_get<std::string>(json, "missing"); }) == "it has no \"missing\"");
  CHECK(error_of([&] { json_get<std::string>(json, "number"); }) == "\"number\": a text is expected, and there is 1.5");
  CHECK(error_of([&] { json_get<int>(json, "number"); }) ==
        "\"number\": a whole number that fits is expected, and there is 1.5");
  CHECK(error_of([&] { json_get<bool>(json, "text"); }) ==
        "\"text\": true or false is expected, and there is a value of type string");
  CHECK(error_of([&] { json_get<std::vector<int>>(json, "list"); }) ==
        "\"list\": a whole number that fits is expected, and there is a value of type string");
  CHECK(error_of([&] { json_list(json, "null"); }) ==
        "a list as \"null\" is expected, and there is a value of type null");
  CHECK(error_of([&] { json_member(*json.find("list"), "a"); }) ==
        "an object with \"a\" is expected, and there is a value of type array");
  CHECK(json_get_or(json, "none", 7) == 7);
  CHECK(json_get<double>(json, "number") == 1.5);
}

TEST_CASE("members keep their order, and of several with one name the last one counts") {
  const std::string text = R"( { "b" : 1, "a":[ ], "b":{"c":null},"a" : [true , -7, 1.50, "\u00e4\r\u0001"] } )";
  CHECK(parsed_json(text).json() == "{\"b\":{\"c\":null},\"a\":[true,-7,1.5,\"\xc3\xa4\\r\\u0001\"]}");
  CHECK(parsed_json("[18446744073709551615,18446744073709551616,-9223372036854775808,-0,1e2]").json() ==
        "[18446744073709551615,1.8446744073709552e+19,-9223372036854775808,0,100.0]");
}

TEST_CASE("numbers of JSON are those of C++, or are none that fits") {
  CHECK(json_value<std::uint64_t>(parsed_json("18446744073709551615")) == UINT64_MAX);
  CHECK(json_value<std::int64_t>(parsed_json("-9223372036854775808")) == INT64_MIN);
  CHECK(json_value<double>(parsed_json("-3")) == -3.0);
  CHECK(json_value<double>(parsed_json("3")) == 3.0);
  CHECK_THROWS_AS(json_value<int>(parsed_json("2147483648")), Error);
  CHECK_THROWS_AS(json_value<unsigned>(parsed_json("-1")), Error);
  CHECK_THROWS_AS(json_value<int>(parsed_json("1.0")), Error);
}

TEST_CASE("values are nested as deeply as Kiln writes them, and no deeper") {
  const auto nested = [](std::size_t depth, const std::string& inner) {
    return std::string(depth, '[') + inner + std::string(depth, ']');
  };
  CHECK(parsed_json(nested(100, "1")).json() == nested(100, "1"));
  CHECK(error_of([&] { parsed_json(nested(101, "1")); }) == "its values are nested too deeply");
  CHECK(error_of([&] { parsed_json(nested(100'000, "")); }) == "its values are nested too deeply");
  CHECK(error_of([&] { parsed_json(std::string(100'000, '[')); }) == "its values are nested too deeply");
}

}  // namespace json_value_test
