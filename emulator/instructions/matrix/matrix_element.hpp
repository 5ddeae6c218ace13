// Elements of matrices: their storage in registers, and their values. A double represents each value exactly.
// Sparse matrices, and the family matrix by file.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kiln::emulator {

enum class MatrixElement : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s32, s8, u8, s4, u4, b1 };

std::optional<MatrixElement> element_named(std::string_view name);
unsigned element_width(MatrixElement element);  // in registers and memory
inline bool is_integer(MatrixElement element) { return element >= MatrixElement::s32; }

double element_value(MatrixElement element, std::uint64_t bits);
/// Rounds once. Integers wrap or saturate.
std::uint64_t element_bits(MatrixElement element, double value, bool saturate);

/// Bits of metadata for a row of `columns` columns.
unsigned metadata_bits(MatrixElement element, unsigned columns);

/// The columns of the stored elements of a warp's 16 rows, row after row. `metadata` is a register of 32 bits, and the
/// selector says which lanes of each four have it. Throws Fault where the metadata names an element twice.
std::vector<std::uint16_t> sparse_columns(MatrixElement element, unsigned columns, const Warp& warp, Slot metadata,
                                          unsigned selector);

void lower_mma(const ptx::Instruction& instruction, Lowering& lowering);           // matrix_product.cpp
void lower_wmma_product(const ptx::Instruction& instruction, Lowering& lowering);  // matrix_product.cpp
void lower_wmma_memory(const ptx::Instruction& instruction, Lowering& lowering);   // matrix_memory.cpp: load and store
std::span<const InstructionRow> small_matrix_rows();  // small_matrix.cpp: ldmatrix, stmatrix, movmatrix

}  // namespace kiln::emulator
