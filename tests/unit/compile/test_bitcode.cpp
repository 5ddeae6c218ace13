// Bitcode that is damaged in ways which no writer of LLVM's makes. What is whole: test_nvvm_compile.cpp.
#include "compile/nvvm/nvvm_ir.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace bitcode_test {

using namespace kiln;

namespace {

/// A bitstream: the lowest bit first.
class BitWriter {
 public:
  BitWriter& fixed(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i, ++at_) {
      if (at_ % 8 == 0) bytes_.push_back('\0');
      if ((value >> i & 1U) != 0) bytes_.back() = static_cast<char>(bytes_.back() | 1 << at_ % 8);
    }
    return *this;
  }
  BitWriter& variable(std::uint64_t value, unsigned width) {
    const std::uint64_t more = std::uint64_t{1} << (width - 1);
    for (; value >= more; value >>= width - 1) fixed((value & (more - 1)) | more, width);
    return fixed(value, width);
  }
  BitWriter& align() { return fixed(0, static_cast<unsigned>((32 - at_ % 32) % 32)); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// An identification block whose text is `count` elements of `width` bits by an abbreviation of the block's own.
BitWriter identification(std::uint64_t width, std::uint64_t count) {
  BitWriter bits;
  bits.fixed(0xdec04342, 32).fixed(1, 2).variable(13, 8).variable(3, 4).align().fixed(0, 32);
  bits.fixed(2, 3).variable(3, 5);                  // an abbreviation of three parts:
  bits.fixed(1, 1).variable(1, 8);                  // the text's code,
  bits.fixed(0, 1).fixed(3, 3);                     // an array
  bits.fixed(0, 1).fixed(1, 3).variable(width, 5);  // of such elements
  return bits.fixed(4, 3).variable(count, 6);       // the record
}

}  // namespace

TEST_CASE("bitcode: an identification's text") {
  CHECK(read_bitcode(identification(8, 4).fixed('M', 8).fixed('V', 8).fixed('L', 8).fixed('L', 8).bytes()).producer ==
        "MVLL");
  CHECK(read_bitcode(identification(8, 4).fixed('M', 8).bytes()).producer.empty());
}

TEST_CASE("bitcode: elements without bits are refused, however their width is written") {
  for (const std::uint64_t width : {std::uint64_t{0}, std::uint64_t{1} << 32, std::uint64_t{1} << 63}) {
    CAPTURE(width);
    CHECK(read_bitcode(identification(width, 1 << 16).fixed(0, 64).bytes()).producer.empty());
  }
}

}  // namespace bitcode_test
