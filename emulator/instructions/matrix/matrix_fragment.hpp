// Fragments: the matrix elements that each register of each lane holds.
#pragma once

#include "emulator/instructions/matrix/matrix_element.hpp"
#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace kiln::emulator {

/// D = A * B + C: A has m rows and k columns, B k and n, C and D m and n. `batch` products are computed at once.
struct MatrixShape {
  unsigned m = 0, n = 0, k = 0, batch = 1;
};
/// The shape of a modifier such as "m16n8k16". Refuses the text if there is none.
MatrixShape matrix_shape(const Lowering& lowering);

/// The element types that the modifiers name, in order.
std::vector<MatrixElement> element_types_of(const ptx::Instruction& instruction);

enum class MatrixRole : std::uint8_t { a, b, c };

/// Elements are stored so that those which are multiplied with each other are adjacent: A and C by rows, B by columns.
struct Fragment {
  MatrixElement element = MatrixElement::f16;
  unsigned registers = 0;  // per lane
  unsigned size = 0;       // elements of the matrix
  std::vector<std::uint16_t>
      positions;  // index in the matrix, by lane, then register, then element from the lowest bits

  unsigned register_bytes() const { return element == MatrixElement::f64 ? 8 : 4; }
  unsigned per_register() const { return 8 * register_bytes() / element_width(element); }
  const std::uint16_t* of(unsigned lane, unsigned reg) const {
    return &positions[(std::size_t{lane} * registers + reg) * per_register()];
  }
};

/// The layout of the PTX manual for mma. No registers if the shape does not exist for this element.
Fragment mma_fragment(MatrixRole role, const MatrixShape& shape, MatrixElement element);
/// For mma.m8n8k4 of f16: four products, each by eight lanes.
Fragment quad_fragment(MatrixRole role, MatrixElement element, bool by_rows);
bool is_wmma_shape(const MatrixShape& shape);
/// For wmma, whose layout is not specified: in order, some elements twice.
Fragment wmma_fragment(MatrixRole role, const MatrixShape& shape, MatrixElement element);

ptx::Type register_type(const Fragment& fragment);
/// The slots of an operand: a vector or a single register. Refuses a wrong number of registers.
void append_sources(Lowering& lowering, const ptx::Operand& operand, const Fragment& fragment,
                    std::vector<Slot>& slots);
void append_destinations(Lowering& lowering, const ptx::Operand& operand, const Fragment& fragment,
                         std::vector<Slot>& slots);

/// The matrix in the registers of the lanes. Elements that no lane holds are 0.
std::vector<double> gathered(const Fragment& fragment, const Warp& warp, LaneMask active, std::span<const Slot> slots);
void scatter(const Fragment& fragment, const std::vector<double>& matrix, bool saturate, Warp& warp, LaneMask active,
             std::span<const Slot> slots);

}  // namespace kiln::emulator
