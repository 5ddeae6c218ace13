// wgmma.mma_async.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <cstdint>

namespace kiln::emulator {

void lower_group_product(const ptx::Instruction& instruction, Lowering& lowering);

/// Elements are adjacent in pieces of 16 bytes along a line. A line is a row of A or a column of B, or, of a transposed
/// matrix, what has the same k.
class SharedMatrix {
 public:
  SharedMatrix(std::uint64_t descriptor, bool is_transposed);
  static constexpr unsigned piece_bytes = 16;
  /// The address of a piece, which may lie outside the shared memory.
  std::uint32_t piece(unsigned line, unsigned number) const;

 private:
  // Eight lines of `pieces_` pieces are adjacent. Eight lines on is `lines_stride_`, `pieces_` pieces on
  // `pieces_stride_` bytes.
  std::uint32_t start_, lines_stride_, pieces_stride_;
  std::uint32_t pieces_;
  std::uint32_t base_;
};

}  // namespace kiln::emulator
