// Copies and fills that kernels may see happen: every alignment and size gives what the plain ones give.
#include "emulator/memory/relaxed_copy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace kiln::emulator::relaxed_test {
namespace {

struct Memory {
  alignas(8) std::array<unsigned char, 128> bytes = {};
  explicit Memory(unsigned step) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * step);
  }
  unsigned char* at(std::size_t offset) { return bytes.data() + offset; }
  bool operator==(const Memory&) const = default;
};

template <class T>
void check_fill(T value) {
  for (std::size_t offset = 0; offset < 16; offset += sizeof(T))
    for (std::size_t count = 0; count < 12; ++count) {
      Memory filled(3), expected(3);
      relaxed_fill(reinterpret_cast<std::byte*>(filled.at(offset)), value, count);
      for (std::size_t i = 0; i < count; ++i) std::memcpy(expected.at(offset + i * sizeof(T)), &value, sizeof(T));
      CAPTURE(offset);
      CAPTURE(count);
      REQUIRE(filled == expected);
    }
}

}  // namespace

TEST_CASE("a relaxed copy is a copy, of any alignment and size, also within itself") {
  const Memory source(7);
  for (std::size_t to = 0; to < 12; ++to)
    for (std::size_t from = 0; from < 12; ++from)
      for (std::size_t size = 0; size < 40; ++size) {
        Memory copied(3), expected(3), within = source, expected_within = source;
        relaxed_copy(copied.at(to), source.bytes.data() + from, size);
        std::memcpy(expected.at(to), source.bytes.data() + from, size);
        relaxed_copy(within.at(to), within.at(from), size);
        std::memmove(expected_within.at(to), expected_within.at(from), size);
        CAPTURE(to);
        CAPTURE(from);
        CAPTURE(size);
        REQUIRE(copied == expected);
        REQUIRE(within == expected_within);
      }
}

TEST_CASE("a relaxed fill is a fill") {
  check_fill(std::uint8_t{0xA5});
  check_fill(std::uint16_t{0x1234});
  check_fill(std::uint32_t{0x12345678});
}

}  // namespace kiln::emulator::relaxed_test
