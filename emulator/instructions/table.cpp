// Selects the family that lowers an instruction.
#include "emulator/instructions/families.hpp"

#include <map>

namespace kiln::emulator {
namespace {

using Table = std::map<std::string_view, LowerFunction>;

void add_rows(Table& table, std::span<const InstructionRow> rows) {
  for (const InstructionRow& row : rows) table.emplace(row.opcode, row.lower);
}

// Opcodes such as add belong to two families; the type selects one.
const Table& float_table() {
  static const Table table = [] {
    Table made;
    add_rows(made, float_rows());
    return made;
  }();
  return table;
}

const Table& common_table() {
  static const Table table = [] {
    Table made;
    for (const auto rows :
         {integer_rows(), logic_rows(), comparison_rows(), move_rows(), warp_rows(), conversion_rows(), memory_rows(),
          atomic_rows(), async_rows(), bulk_rows(), control_rows(), matrix_rows(), warp_group_rows(), texture_rows()})
      add_rows(made, rows);
    return made;
  }();
  return table;
}

bool has_float_type(const ptx::Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers)
    if (modifier.starts_with("f16") || modifier.starts_with("bf16") || modifier == "f32" || modifier == "f32x2" ||
        modifier == "f64" || modifier == "tf32")
      return true;
  return false;
}

LowerFunction find_in(const Table& table, std::string_view opcode) {
  const auto row = table.find(opcode);
  return row == table.end() ? nullptr : row->second;
}

}  // namespace

LowerFunction lowering_of(const ptx::Instruction& instruction) {
  if (instruction.opcode == "bar" && instruction.has("warp")) return &lower_warp_barrier;
  if ((instruction.opcode == "cp" || instruction.opcode == "st") && instruction.has("bulk")) return &lower_bulk;
  if (has_float_type(instruction))
    if (const LowerFunction lower = find_in(float_table(), instruction.opcode)) return lower;
  if (const LowerFunction lower = find_in(common_table(), instruction.opcode)) return lower;
  return find_in(float_table(), instruction.opcode);
}

}  // namespace kiln::emulator
