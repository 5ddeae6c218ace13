// Shared by the comparisons of all types.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// How a comparison is combined with the predicate that follows it.
enum class BoolOp : std::uint8_t { none, all, any, differ };
BoolOp bool_op_of(const ptx::Instruction& instruction);
inline LaneMask combined(BoolOp op, LaneMask result, LaneMask other) {
  switch (op) {
    case BoolOp::all:
      return result & other;
    case BoolOp::any:
      return result | other;
    case BoolOp::differ:
      return result ^ other;
    default:
      return result;
  }
}

std::span<const InstructionRow> selection_rows();  // selection.cpp: selp, slct

}  // namespace kiln::emulator
