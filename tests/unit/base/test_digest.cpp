#include "base/digest.hpp"

#include <doctest/doctest.h>

using namespace kiln;

TEST_CASE("SHA-256 of the standard's examples") {
  CHECK(sha256("").hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256(std::string(1'000'000, 'a')).hex() ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a running digest is that of all its pieces") {
  Sha256 running;
  running.update("a");
  running.update("");
  running.update("bc");
  CHECK(running.finish() == sha256("abc"));
}

TEST_CASE("bytes with zeros and high bits count") {
  CHECK(sha256(std::string_view("a\0b", 3)) != sha256(std::string_view("a\0c", 3)));
  CHECK(Digest{{0x0f, 0xf0}}.hex() == "0ff0" + std::string(60, '0'));
}

TEST_CASE("bytes are written as hexadecimal digits") {
  CHECK(hex_text("") == "");
  CHECK(hex_text(std::string_view("\x00\x9f\xa0\xff", 4)) == "009fa0ff");
}
