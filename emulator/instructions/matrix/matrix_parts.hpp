// The family matrix, by file.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

void lower_mma(const ptx::Instruction& instruction, Lowering& lowering);           // matrix_product.cpp
void lower_wmma_product(const ptx::Instruction& instruction, Lowering& lowering);  // matrix_product.cpp
void lower_wmma_memory(const ptx::Instruction& instruction, Lowering& lowering);   // matrix_memory.cpp: load and store
std::span<const InstructionRow> small_matrix_rows();  // small_matrix.cpp: ldmatrix, stmatrix, movmatrix

}  // namespace kiln::emulator
