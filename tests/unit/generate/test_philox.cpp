// Random bits: the device's code, on the host.
#include <doctest/doctest.h>

#define __device__
#define KILN_DEVICE_CODE(...) __VA_ARGS__

namespace philox_test {

#include "generate/philox_code.hpp"
#undef KILN_DEVICE_CODE
#undef __device__

namespace {

void check_words(const kiln_words& found, const kiln_words& expected) {
  CHECK(found.x == expected.x);
  CHECK(found.y == expected.y);
  CHECK(found.z == expected.z);
  CHECK(found.w == expected.w);
}

}  // namespace

TEST_CASE("Philox4x32-10 has the known answers of Random123") {
  constexpr unsigned ones = ~0U;
  check_words(kiln_philox({0, 0, 0, 0}, 0, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check_words(kiln_philox({ones, ones, ones, ones}, ones, ones), {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  // The digits of pi.
  check_words(kiln_philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0),
              {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("seed and block are the lower words of key and counter") {
  check_words(kiln_block(0, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check_words(kiln_block(0x123456789abcdef0, 0xfedcba9876543210),
              kiln_philox({0x76543210, 0xfedcba98, 0, 0}, 0x9abcdef0, 0x12345678));
}

}  // namespace philox_test
