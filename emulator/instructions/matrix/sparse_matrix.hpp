// Sparse matrices A: of each four (tf32: two) neighbours of a row two (one) are stored, and metadata says which.
#pragma once

#include "emulator/instructions/matrix/matrix_element.hpp"
#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <vector>

namespace kiln::emulator {

/// Bits of metadata for a row of `columns` columns.
unsigned metadata_bits(MatrixElement element, unsigned columns);

/// The columns of the stored elements of a warp's 16 rows, row after row. `metadata` is a register of 32 bits, and the
/// selector says which lanes of each four have it. Throws Fault where the metadata names an element twice.
std::vector<std::uint16_t> sparse_columns(MatrixElement element, unsigned columns, const Warp& warp, Slot metadata,
                                          unsigned selector);

}  // namespace kiln::emulator
