// Bulk copies. They copy when they are issued; only checks want to know who waits.
#include "emulator/instructions/bulk/bulk_forms.hpp"
#include "emulator/instructions/families.hpp"
#include "emulator/machine/async_checks.hpp"

namespace kiln::emulator {
namespace {

void commit_stores(const Step&, Warp& warp, LaneMask active) {
  if (AsyncChecks* const checks = async_checks(warp)) checks->commit(warp, active, AsyncKind::bulk_store);
}

void wait_for_stores(const Step& step, Warp& warp, LaneMask active) {
  if (AsyncChecks* const checks = async_checks(warp))
    checks->wait(warp, active, AsyncKind::bulk_store, static_cast<std::uint64_t>(step.value));
}

}  // namespace

void lower_bulk(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.opcode == "st") return lower_bulk_store(instruction, lowering);
  check_modifiers(instruction);
  if (instruction.has("commit_group")) {
    expect_operands(lowering, 0);
    lowering.emit(commit_stores);
  } else if (instruction.has("wait_group")) {
    expect_operands(lowering, 1);
    lowering.emit(wait_for_stores).value = pending_groups(instruction);
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
