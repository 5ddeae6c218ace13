// The families of instructions: the rows of each, which table.cpp combines.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <span>

namespace kiln::emulator {

std::span<const InstructionRow> integer_rows();     // add ... vset4: integer/integer_parts.hpp
std::span<const InstructionRow> logic_rows();       // and, or, xor, not, cnot, lop3, shf, shl, shr
std::span<const InstructionRow> comparison_rows();  // set, setp, selp, slct
std::span<const InstructionRow> move_rows();        // mov, prmt
std::span<const InstructionRow> warp_rows();        // shfl, vote, match, redux, activemask, elect, bar.warp
std::span<const InstructionRow> float_rows();       // add, mul, fma, setp, set ... of f16, bf16, f32, f64
std::span<const InstructionRow> conversion_rows();  // cvt, cvt.pack
std::span<const InstructionRow> memory_rows();      // ld, ldu, st, cvta, isspacep, prefetch, ...
std::span<const InstructionRow> atomic_rows();      // atom, red, fence, membar
std::span<const InstructionRow> async_rows();       // cp.async, mbarrier
std::span<const InstructionRow> bulk_rows();        // tensormap
std::span<const InstructionRow> control_rows();     // bra, brx, call, ret, exit, bar, barrier, trap, nanosleep
std::span<const InstructionRow> matrix_rows();      // mma, wmma, ldmatrix, stmatrix, movmatrix
std::span<const InstructionRow> warp_group_rows();  // wgmma
std::span<const InstructionRow> texture_rows();     // tex, tld4, txq, suld, sust, sured, suq, istypep

/// cp.async.bulk, cp.reduce.async.bulk, with .tensor too, and st.bulk: their opcodes belong to async and memory.
void lower_bulk(const ptx::Instruction& instruction, Lowering& lowering);
/// bar.warp.sync: lowered by the family warp, although its opcode belongs to control.
void lower_warp_barrier(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
