// libcrypto: the values that the standards give, threads, forks, and not mapped before it is needed.
#include "base/crypto_library.hpp"

#include "base/digest.hpp"
#include "base/shared_library.hpp"
#include "in_child.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace crypto_library_test {

using namespace kiln;

namespace {

template <std::size_t size>
CryptoBytes<size> from_hex(const std::string& digits) {
  CryptoBytes<size> value;
  REQUIRE(digits.size() == 2 * size);
  for (std::size_t i = 0; i < size; ++i)
    value.bytes[i] = static_cast<unsigned char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
  return value;
}

// RFC 8032, 7.1, test 2: the message is one byte.
const std::string message = "\x72";
Ed25519Key private_key() { return from_hex<32>("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"); }
Ed25519Key public_key() { return from_hex<32>("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"); }
Ed25519Signature signature() {
  return from_hex<64>(
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
      "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
}

}  // namespace

TEST_CASE("Ed25519 signs and verifies as RFC 8032 says") {
  CHECK(ed25519_public_key(private_key()) == public_key());
  CHECK(ed25519_sign(private_key(), message) == signature());
  CHECK(ed25519_verify(public_key(), message, signature()));
  CHECK_FALSE(ed25519_verify(public_key(), "s", signature()));
  CHECK_FALSE(ed25519_verify(public_key(), "", signature()));
  CHECK_FALSE(ed25519_verify(private_key(), message, signature()));
}

TEST_CASE("no bit of a signature or of a public key may differ") {
  for (std::size_t i = 0; i < 8 * 64; ++i) {
    Ed25519Signature damaged = signature();
    damaged.bytes[i / 8] = static_cast<unsigned char>(damaged.bytes[i / 8] ^ (1U << i % 8));
    CHECK_FALSE(ed25519_verify(public_key(), message, damaged));
  }
  for (std::size_t i = 0; i < 8 * 32; ++i) {
    Ed25519Key other = public_key();
    other.bytes[i / 8] = static_cast<unsigned char>(other.bytes[i / 8] ^ (1U << i % 8));
    CHECK_FALSE(ed25519_verify(other, message, signature()));
  }
}

TEST_CASE("children of fork verify while threads of their parent do") {
  std::atomic<bool> stopped{false};
  std::atomic<bool> right{true};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!stopped) right = ed25519_verify(public_key(), message, signature()) && right;
    });
  for (int i = 0; i < 50; ++i)
    CHECK(test::in_child([] { return ed25519_verify(public_key(), message, signature()) ? 0 : 1; }) == 0);
  stopped = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(right);
}

TEST_CASE("a process that does without has no libcrypto") {
  // The program itself, anew: in this process another test may have opened it.
  CHECK(test::in_child([] {
          ::execl("/proc/self/exe", "unit_base", "-tc=child: has no libcrypto", "-ns", nullptr);
          return 126;
        }) == 0);
}

TEST_CASE("child: has no libcrypto" * doctest::skip()) {
  CHECK(digest_of("abc") != Digest());  // by code of its own
  CHECK_FALSE(SharedLibrary::is_loaded("libcrypto.so.3"));
}

}  // namespace crypto_library_test
