#include "base/json_object.hpp"

#include <doctest/doctest.h>

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

}  // namespace json_object_test
