// The lowering functions of floating-point instructions, by file.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

// float_arithmetic.cpp
void lower_float_add(const ptx::Instruction& instruction, Lowering& lowering);
void lower_float_sub(const ptx::Instruction& instruction, Lowering& lowering);
void lower_float_mul(const ptx::Instruction& instruction, Lowering& lowering);
void lower_float_fma(const ptx::Instruction& instruction, Lowering& lowering);  // and mad
// float_divide.cpp
void lower_div(const ptx::Instruction& instruction, Lowering& lowering);
void lower_rcp(const ptx::Instruction& instruction, Lowering& lowering);
void lower_sqrt(const ptx::Instruction& instruction, Lowering& lowering);
// float_approximate.cpp
void lower_approximate(const ptx::Instruction& instruction, Lowering& lowering);  // by opcode, also rcp, sqrt, rsqrt
void lower_approximate_div(const ptx::Instruction& instruction, Lowering& lowering);
// float_sign.cpp
void lower_float_neg(const ptx::Instruction& instruction, Lowering& lowering);
void lower_float_abs(const ptx::Instruction& instruction, Lowering& lowering);
void lower_copysign(const ptx::Instruction& instruction, Lowering& lowering);
void lower_testp(const ptx::Instruction& instruction, Lowering& lowering);
// float_minmax.cpp
void lower_float_min(const ptx::Instruction& instruction, Lowering& lowering);
void lower_float_max(const ptx::Instruction& instruction, Lowering& lowering);
// float_compare.cpp
void lower_float_set(const ptx::Instruction& instruction, Lowering& lowering);
void lower_float_setp(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
