// The family integer, by file.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> multiply_rows();   // integer_multiply.cpp: mul, mad, mul24, mad24
std::span<const InstructionRow> carry_rows();      // integer_carry.cpp: addc, subc, madc; and the .cc forms:
std::span<const InstructionRow> divide_rows();     // integer_divide.cpp: div, rem
std::span<const InstructionRow> bit_field_rows();  // bit_field.cpp: popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext
std::span<const InstructionRow> dot_rows();        // dot_product.cpp: dp4a, dp2a
std::span<const InstructionRow> video_rows();      // video.cpp: vadd ... vset4

/// add.cc, sub.cc and mad.cc, which write the carry flag.
void lower_with_carry(const ptx::Instruction& instruction, Lowering& lowering);

std::span<const InstructionRow> shift_rows();  // shift.cpp: shl, shr, shf

std::span<const InstructionRow> permute_rows();  // permute.cpp: prmt

}  // namespace kiln::emulator
