#include "emulator/instructions/warp_group/shared_matrix.hpp"

#include <utility>

namespace kiln::emulator {
namespace {

// Addresses and offsets have 18 bits, of which the low four are 0.
std::uint32_t decoded(std::uint64_t descriptor, unsigned bit) {
  return static_cast<std::uint32_t>((descriptor >> bit) & 0x3FFFu) << 4;
}

// Of the swizzle of 0, 128, 64 and 32 bytes.
constexpr std::uint32_t pieces_of_swizzle[] = {1, 8, 4, 2};

}  // namespace

SharedMatrix::SharedMatrix(std::uint64_t descriptor, bool is_transposed)
    : start_(decoded(descriptor, 0)),
      lines_stride_(decoded(descriptor, 32)),
      pieces_stride_(decoded(descriptor, 16)),
      pieces_(pieces_of_swizzle[descriptor >> 62]),
      base_(static_cast<std::uint32_t>(descriptor >> 49) & 7u) {
  // Without a swizzle the leading offset is the one along k, with one the one along a line.
  if (is_transposed && pieces_ == 1) std::swap(lines_stride_, pieces_stride_);
}

std::uint32_t SharedMatrix::piece(unsigned line, unsigned number) const {
  const std::uint32_t address = start_ + line / 8 * lines_stride_ + line % 8 * pieces_ * piece_bytes +
                                number / pieces_ * pieces_stride_ + number % pieces_ * piece_bytes;
  // Swizzles exchange pieces by the address itself, not by the place in the matrix.
  const std::uint32_t row = ((address >> 7) - base_) & (pieces_ - 1);
  return address ^ row * piece_bytes;
}

}  // namespace kiln::emulator
