#include "base/digest.hpp"

#include <doctest/doctest.h>

namespace digest_test {

using namespace kiln;

// As `xxhsum -H2` prints them.
TEST_CASE("XXH3-128 of known bytes") {
  CHECK(digest_of("").hex() == "99aa06d3014798d86001c324468d497f");
  CHECK(digest_of("abc").hex() == "06b05ab6733a618578af5f94892f3950");
  CHECK(digest_of(std::string(1'000'000, 'a')).hex() == "a545df8e384a9579b1fd6fae5285c4eb");
}

TEST_CASE("a running digest is that of all its pieces") {
  RunningDigest running;
  running.update("a");
  running.update("");
  running.update("bc");
  CHECK(running.value() == digest_of("abc"));
}

TEST_CASE("bytes with zeros and high bits count") {
  CHECK(digest_of(std::string_view("a\0b", 3)) != digest_of(std::string_view("a\0c", 3)));
  CHECK(Digest{{0x0f, 0xf0}}.hex() == "0ff0" + std::string(28, '0'));
}

TEST_CASE("bytes are written as hexadecimal digits") {
  CHECK(hex_text("") == "");
  CHECK(hex_text(std::string_view("\x00\x9f\xa0\xff", 4)) == "009fa0ff");
}

TEST_CASE("a digest is read from its own digits and from nothing else") {
  const std::string hex = digest_of("abc").hex();
  CHECK(digest_of_hex(hex) == digest_of("abc"));
  for (const std::string& other : {std::string(), hex.substr(1), hex + "0", "g" + hex.substr(1), "A" + hex.substr(1),
                                   "+" + hex.substr(1), " " + hex.substr(1)})
    CHECK_FALSE(digest_of_hex(other));
}

}  // namespace digest_test
