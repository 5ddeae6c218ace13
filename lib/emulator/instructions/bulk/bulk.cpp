// Bulk copies. They copy when they are issued, so there is no group to wait for.
#include "emulator/instructions/bulk/bulk_forms.hpp"
#include "emulator/instructions/families.hpp"

namespace kiln::emulator {
namespace {

void nothing_to_wait_for(const Step&, Warp&, LaneMask) {}

}  // namespace

void lower_bulk(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.opcode == "st") return lower_bulk_store(instruction, lowering);
  check_modifiers(instruction);
  if (instruction.has("commit_group") || instruction.has("wait_group")) {
    expect_operands(lowering, instruction.has("wait_group") ? 1 : 0);
    lowering.emit(nothing_to_wait_for);
  } else if (instruction.has("tensor")) {
    lower_tensor_copy(instruction, lowering);
  } else {
    lower_bulk_copy(instruction, lowering);
  }
}

std::span<const InstructionRow> bulk_rows() {
  static constexpr InstructionRow rows[] = {{"tensormap", lower_tensor_map}};
  return rows;
}

}  // namespace kiln::emulator
