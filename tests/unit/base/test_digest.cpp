#include "base/digest.hpp"

#include "base/checksum.hpp"
#include "in_child.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <unistd.h>

namespace digest_test {

using namespace kiln;

/// As FIPS 180 says, and `sha256sum` prints them.
void check_known_digests() {
  CHECK(digest_of("").hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest_of("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hex() ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

// In a process of its own: nothing was hashed there before, so the first is by the instructions that every CPU has.
TEST_CASE("SHA-256 of known bytes, in a process that has hashed few of them, and many") {
  CHECK(test::in_child([] {
          ::execl("/proc/self/exe", "unit_base", "-tc=child: known digests", "-ns", nullptr);
          return 126;
        }) == 0);
}

TEST_CASE("child: known digests" * doctest::skip()) {
  check_known_digests();
  CHECK(digest_of(std::string(1'000'000, 'a')).hex() ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  check_known_digests();
}

TEST_CASE("a million bytes in pieces of all sizes have the digest of the whole") {
  const std::string bytes(1'000'000, 'a');
  RunningDigest running;
  for (std::size_t at = 0, size = 0; at < bytes.size(); at += size)
    running.update(std::string_view(bytes).substr(at, ++size));
  CHECK(running.value().hex() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a running digest is that of all its pieces") {
  RunningDigest running;
  running.update("a");
  running.update("");
  running.update("bc");
  CHECK(running.value() == digest_of("abc"));
  running.update("d");
  CHECK(running.value() == digest_of("abcd"));
}

TEST_CASE("bytes with zeros and high bits count") {
  CHECK(digest_of(std::string_view("a\0b", 3)) != digest_of(std::string_view("a\0c", 3)));
  CHECK(Digest{{0x0f, 0xf0}}.hex() == "0ff0" + std::string(60, '0'));
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

// As `xxhsum -H2` prints them.
TEST_CASE("checksums are XXH3-128, whole and in pieces") {
  CHECK(hex_text(checksum_of("").view()) == "99aa06d3014798d86001c324468d497f");
  CHECK(hex_text(checksum_of("abc").view()) == "06b05ab6733a618578af5f94892f3950");
  CHECK(hex_text(checksum_of(std::string(1'000'000, 'a')).view()) == "a545df8e384a9579b1fd6fae5285c4eb");
  RunningChecksum running;
  for (const char* part : {"a", "", "bc"}) running.update(part);
  CHECK(running.value() == checksum_of("abc"));
}

}  // namespace digest_test
