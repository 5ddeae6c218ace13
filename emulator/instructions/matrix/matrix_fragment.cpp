#include "emulator/instructions/matrix/matrix_fragment.hpp"

#include "emulator/instructions/forms.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace kiln::emulator {
namespace {

struct RowColumn {
  unsigned row, column;
};

/// Sets the positions from place(lane, register, element), the row and column in the matrix.
template <class Place>
void lay_out(Fragment& fragment, unsigned columns, Place place) {
  for (unsigned lane = 0; lane < warp_size; ++lane)
    for (unsigned reg = 0; reg < fragment.registers; ++reg)
      for (unsigned e = 0; e < fragment.per_register(); ++e) {
        const RowColumn at = place(lane, reg, e);
        fragment.positions.push_back(static_cast<std::uint16_t>(at.row * columns + at.column));
      }
}

unsigned fragment_elements(MatrixRole role, const MatrixShape& shape) {
  switch (role) {
    case MatrixRole::a:
      return shape.m * shape.k;
    case MatrixRole::b:
      return shape.n * shape.k;
    default:
      return shape.m * shape.n;
  }
}

unsigned wmma_registers(MatrixRole role, const MatrixShape& shape, MatrixElement element) {
  // A and B of f16 take eight registers in every shape, so elements may be stored twice. All others are stored once.
  if (role != MatrixRole::c && element == MatrixElement::f16) return 8;
  return fragment_elements(role, shape) / warp_size * element_width(element) /
         (element == MatrixElement::f64 ? 64 : 32);
}

template <class T>
void gather_words(const Fragment& fragment, const Warp& warp, LaneMask active, std::span<const Slot> slots,
                  std::vector<double>& matrix) {
  const unsigned bits = element_width(fragment.element), count = fragment.per_register();
  const T mask = static_cast<T>(bits == 8 * sizeof(T) ? ~T{0} : (T{1} << (bits % (8 * sizeof(T)))) - 1);
  each_lane(active, [&](unsigned lane) {
    for (unsigned reg = 0; reg < fragment.registers; ++reg) {
      const T word = warp.value<T>(slots[reg], lane);
      const std::uint16_t* const at = fragment.of(lane, reg);
      for (unsigned e = 0; e < count; ++e) matrix[at[e]] = element_value(fragment.element, (word >> (bits * e)) & mask);
    }
  });
}

template <class T>
void scatter_words(const Fragment& fragment, const std::vector<double>& matrix, bool saturate, Warp& warp,
                   LaneMask active, std::span<const Slot> slots) {
  const unsigned bits = element_width(fragment.element), count = fragment.per_register();
  each_lane(active, [&](unsigned lane) {
    for (unsigned reg = 0; reg < fragment.registers; ++reg) {
      const std::uint16_t* const at = fragment.of(lane, reg);
      T word = 0;
      for (unsigned e = 0; e < count; ++e)
        word |= static_cast<T>(element_bits(fragment.element, matrix[at[e]], saturate) << (bits * e));
      warp.set_value(slots[reg], lane, word);
    }
  });
}

std::span<const ptx::Operand> registers_of(const Lowering& lowering, const ptx::Operand& operand,
                                           const Fragment& fragment) {
  const bool vector = operand.kind == ptx::Operand::Kind::vector;
  const std::span<const ptx::Operand> all = vector ? std::span(operand.elements) : std::span(&operand, 1);
  if (all.size() != fragment.registers)
    refuse(lowering, "Instruction '" + std::string(lowering.instruction().opcode) + "' needs " +
                         std::to_string(fragment.registers) + " registers where there are " +
                         std::to_string(all.size()));
  return all;
}

}  // namespace

MatrixShape matrix_shape(const Lowering& lowering) {
  for (const std::string_view modifier : lowering.instruction().modifiers) {
    MatrixShape shape;
    const std::string text(modifier.substr(0, 16));
    int end = 0;
    if (std::sscanf(text.c_str(), "m%3un%3uk%3u%n", &shape.m, &shape.n, &shape.k, &end) == 3 &&
        end == static_cast<int>(text.size()))
      return shape;
  }
  refuse(lowering, "Instruction '" + std::string(lowering.instruction().opcode) + "' needs a shape");
}

std::vector<MatrixElement> element_types_of(const ptx::Instruction& instruction) {
  std::vector<MatrixElement> found;
  for (const std::string_view modifier : instruction.modifiers)
    if (const auto element = element_named(modifier)) found.push_back(*element);
  return found;
}

Fragment mma_fragment(MatrixRole role, const MatrixShape& shape, MatrixElement element) {
  Fragment fragment;
  fragment.element = element;
  fragment.size = fragment_elements(role, shape);
  const unsigned per = fragment.per_register();
  const unsigned halves = shape.m / 8, group = warp_size * per * (role == MatrixRole::a ? halves : 1);
  if (fragment.size % group != 0) return fragment;
  fragment.registers = fragment.size / warp_size / per;
  // Four neighbouring lanes hold a row of A (a column of B), one register of elements each. The next register is eight
  // rows down if the matrix has 16 rows, and then further right by the elements of four registers.
  switch (role) {
    case MatrixRole::a:
      lay_out(fragment, shape.k, [=](unsigned lane, unsigned reg, unsigned e) {
        return RowColumn{lane / 4 + 8 * (reg % halves), (reg / halves * 4 + lane % 4) * per + e};
      });
      break;
    case MatrixRole::b:
      lay_out(fragment, shape.k, [=](unsigned lane, unsigned reg, unsigned e) {
        return RowColumn{lane / 4, (reg * 4 + lane % 4) * per + e};
      });
      break;
    case MatrixRole::c:
      lay_out(fragment, shape.n, [=](unsigned lane, unsigned reg, unsigned e) {
        const unsigned i = reg * per + e;
        return RowColumn{lane / 4 + 8 * (i / 2 % halves), i / (2 * halves) * 8 + lane % 4 * 2 + i % 2};
      });
  }
  return fragment;
}

Fragment quad_fragment(MatrixRole role, MatrixElement element, bool by_rows) {
  Fragment fragment;
  fragment.element = element;
  const unsigned columns = role == MatrixRole::c ? 8 : 4, per = fragment.per_register();
  fragment.size = 4 * 8 * columns;
  fragment.registers = columns / per;
  lay_out(fragment, columns, [=](unsigned lane, unsigned reg, unsigned e) {
    const unsigned i = reg * per + e, in_quad = lane % 4, upper = lane < 16 ? 0 : 4;
    const unsigned first_row = lane % 16 / 4 * 8;  // of this product: lanes q and 16 + q of each four
    if (role == MatrixRole::c && element == MatrixElement::f32)
      return RowColumn{first_row + upper + (in_quad & 1u) + (i & 2u), (i & 4u) + (in_quad & 2u) + (i & 1u)};
    // B is stored by columns, so its columns are rows here.
    const bool lane_is_row = role == MatrixRole::b ? !by_rows : by_rows;
    if (role == MatrixRole::c || lane_is_row) return RowColumn{first_row + upper + in_quad, i};
    return RowColumn{first_row + upper + i, in_quad};
  });
  return fragment;
}

bool is_wmma_shape(const MatrixShape& shape) {
  constexpr unsigned shapes[][3] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 16, 8},
                                    {8, 8, 4},    {8, 8, 32},  {8, 8, 128}};
  return std::any_of(std::begin(shapes), std::end(shapes), [&](const unsigned(&each)[3]) {
    return each[0] == shape.m && each[1] == shape.n && each[2] == shape.k;
  });
}

Fragment wmma_fragment(MatrixRole role, const MatrixShape& shape, MatrixElement element) {
  Fragment fragment;
  fragment.element = element;
  fragment.size = fragment_elements(role, shape);
  fragment.registers = wmma_registers(role, shape, element);
  const unsigned count = warp_size * fragment.registers * fragment.per_register();
  for (unsigned i = 0; i < count; ++i) fragment.positions.push_back(static_cast<std::uint16_t>(i % fragment.size));
  return fragment;
}

ptx::Type register_type(const Fragment& fragment) {
  return fragment.register_bytes() == 8 ? ptx::Type::b64 : ptx::Type::b32;
}

void append_sources(Lowering& lowering, const ptx::Operand& operand, const Fragment& fragment,
                    std::vector<Slot>& slots) {
  for (const ptx::Operand& each : registers_of(lowering, operand, fragment))
    slots.push_back(lowering.in(each, register_type(fragment)));
}

void append_destinations(Lowering& lowering, const ptx::Operand& operand, const Fragment& fragment,
                         std::vector<Slot>& slots) {
  for (const ptx::Operand& each : registers_of(lowering, operand, fragment))
    slots.push_back(lowering.out(each, register_type(fragment)));
}

std::vector<double> gathered(const Fragment& fragment, const Warp& warp, LaneMask active, std::span<const Slot> slots) {
  std::vector<double> matrix(fragment.size);
  if (fragment.register_bytes() == 8)
    gather_words<std::uint64_t>(fragment, warp, active, slots, matrix);
  else
    gather_words<std::uint32_t>(fragment, warp, active, slots, matrix);
  return matrix;
}

void scatter(const Fragment& fragment, const std::vector<double>& matrix, bool saturate, Warp& warp, LaneMask active,
             std::span<const Slot> slots) {
  if (fragment.register_bytes() == 8)
    scatter_words<std::uint64_t>(fragment, matrix, saturate, warp, active, slots);
  else
    scatter_words<std::uint32_t>(fragment, matrix, saturate, warp, active, slots);
}

}  // namespace kiln::emulator
