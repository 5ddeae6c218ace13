// ldmatrix, stmatrix, movmatrix: matrices of 8 x 8 elements of 16 bits. A register of a lane holds two neighbours of a
// row; eight lanes supply the addresses of the rows of a matrix.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/matrix/matrix_element.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"
#include "emulator/memory/relaxed_values.hpp"

namespace kiln::emulator {
namespace {

using ptx::Type;

struct SmallMatrix {
  std::uint16_t at[8][8] = {};

  void transpose() {
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < row; ++column) std::swap(at[row][column], at[column][row]);
  }
  std::uint32_t of_lane(unsigned lane) const {
    const std::uint16_t* const pair = &at[lane / 4][lane % 4 * 2];
    return pair[0] | static_cast<std::uint32_t>(pair[1]) << 16;
  }
  void set_of_lane(unsigned lane, std::uint32_t word) {
    std::uint16_t* const pair = &at[lane / 4][lane % 4 * 2];
    pair[0] = static_cast<std::uint16_t>(word);
    pair[1] = static_cast<std::uint16_t>(word >> 16);
  }
};

constexpr unsigned most_matrices = 4;

SmallMatrix matrix_of(const Warp& warp, LaneMask active, Slot slot) {
  SmallMatrix matrix;
  each_lane(active, [&](unsigned lane) { matrix.set_of_lane(lane, warp.value<std::uint32_t>(slot, lane)); });
  return matrix;
}
void set_matrix(Warp& warp, LaneMask active, Slot slot, const SmallMatrix& matrix) {
  each_lane(active, [&](unsigned lane) { warp.set_value(slot, lane, matrix.of_lane(lane)); });
}

/// Calls move(memory, matrix, row, column) for pairs of elements, 32 bits each. operand[0] has the addresses.
template <class Move>
void each_pair(const Step& step, Warp& warp, LaneMask active, Access access, Move move) {
  const auto count = static_cast<unsigned>(step.more.size());
  const LaneMask owners = active & (count == most_matrices ? all_lanes : (1u << (8 * count)) - 1);
  if (owners == 0) return;
  const HostAddresses small_matrix_table = host_addresses(step, warp, owners, 0, 16, access);
  each_lane(owners, [&](unsigned lane) {
    for (unsigned pair = 0; pair < 4; ++pair)
      move(small_matrix_table.pointer<std::uint32_t>(lane) + pair, lane / 8, lane % 8 * 4 + pair);
  });
}

/// small[2]: transposed.
void load_small(const Step& step, Warp& warp, LaneMask active) {
  SmallMatrix matrices[most_matrices];
  each_pair(step, warp, active, Access::read, [&](const std::uint32_t* from, unsigned matrix, unsigned lane) {
    matrices[matrix].set_of_lane(lane, relaxed_load(from));
  });
  for (std::size_t i = 0; i < step.more.size(); ++i) {
    if (step.small[2] != 0) matrices[i].transpose();
    set_matrix(warp, active, step.more[i], matrices[i]);
  }
}

void store_small(const Step& step, Warp& warp, LaneMask active) {
  SmallMatrix matrices[most_matrices];
  for (std::size_t i = 0; i < step.more.size(); ++i) {
    matrices[i] = matrix_of(warp, active, step.more[i]);
    if (step.small[2] != 0) matrices[i].transpose();
  }
  each_pair(step, warp, active, Access::write, [&](std::uint32_t* to, unsigned matrix, unsigned lane) {
    relaxed_store(to, matrices[matrix].of_lane(lane));
  });
}

void transpose(const Step& step, Warp& warp, LaneMask active) {
  SmallMatrix matrix = matrix_of(warp, active, step.operand[1]);
  matrix.transpose();
  set_matrix(warp, active, step.operand[0], matrix);
}

std::size_t count_of(const Lowering& lowering) {
  const ptx::Instruction& instruction = lowering.instruction();
  if (instruction.has("row") || instruction.has("col"))
    throw Unsupported{std::string(instruction.opcode) + " with a layout"};
  if (!instruction.has("m8n8") || !instruction.has("b16"))
    throw Unsupported{std::string(instruction.opcode) + " of other than 8 by 8 16-bit elements"};
  return instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : 1;
}

void lower_memory(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  const bool stores = instruction.opcode == "stmatrix";
  const ptx::Operand& values = instruction.operands[stores ? 1 : 0];
  const bool vector = values.kind == ptx::Operand::Kind::vector;
  const std::span<const ptx::Operand> elements = vector ? std::span(values.elements) : std::span(&values, 1);
  if (elements.size() != count_of(lowering)) refuse_types(lowering);
  std::vector<Slot> slots;
  for (const ptx::Operand& element : elements)
    slots.push_back(stores ? lowering.in(element, Type::b32) : lowering.out(element, Type::b32));
  const MemoryOperand place = memory_operand(instruction.operands[stores ? 0 : 1], stated_space(instruction), lowering);
  Step& step = emit_by_all(lowering, stores ? &store_small : &load_small, {place.base});
  place.put(step, 0);
  step.small[2] = instruction.has("trans") ? 1 : 0;
  step.more = lowering.keep(std::move(slots));
}

void lower_move(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  if (count_of(lowering) != 1 || !instruction.has("trans")) refuse_types(lowering);
  const Slot a = lowering.in(instruction.operands[1], Type::b32);
  emit_by_all(lowering, &transpose, {lowering.out(instruction.operands[0], Type::b32), a});
}

constexpr InstructionRow small_matrix_table[] = {
    {"ldmatrix", &lower_memory}, {"stmatrix", &lower_memory}, {"movmatrix", &lower_move}};

}  // namespace

std::span<const InstructionRow> small_matrix_rows() { return small_matrix_table; }

}  // namespace kiln::emulator
