// Rows of the instructions of a warp group, and those that order its products. The products are done where they are
// issued, so only checks need their order.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"
#include "emulator/instructions/warp_group/group_form.hpp"
#include "emulator/instructions/warp_group/group_product.hpp"
#include "emulator/machine/group_checks.hpp"

#include <string>

namespace kiln::emulator {
namespace {

void fence_registers(const Step&, Warp& warp, LaneMask) {
  if (GroupChecks* const checks = group_checks(warp)) checks->fence(warp);
}

void commit_products(const Step&, Warp& warp, LaneMask) {
  if (GroupChecks* const checks = group_checks(warp)) checks->commit(warp);
}

void wait_for_products(const Step& step, Warp& warp, LaneMask) {
  if (GroupChecks* const checks = group_checks(warp)) checks->wait(warp, static_cast<std::uint64_t>(step.value));
}

void lower_wait_for_products(Lowering& lowering) {
  expect_operands(lowering, 1);
  const ptx::Instruction& instruction = lowering.instruction();
  if (instruction.operands.front().kind != ptx::Operand::Kind::immediate) refuse_types(lowering);
  emit_by_all(lowering, wait_for_products, {}).value = pending_groups(instruction);
}

void lower_wgmma(const ptx::Instruction& instruction, Lowering& lowering) {
  // Of this architecture alone: later ones have tcgen05 in its place.
  if (lowering.image().module().target != "sm_90a") refuse_target(lowering);
  if (instruction.has("mma_async")) return lower_group_product(instruction, lowering);
  // All threads of a warp come to it together.
  if (instruction.has("wait_group")) return lower_wait_for_products(lowering);
  if (!instruction.has("fence") && !instruction.has("commit_group")) refuse_types(lowering);
  expect_operands(lowering, 0);
  emit_by_all(lowering, instruction.has("fence") ? fence_registers : commit_products, {});
}

constexpr InstructionRow warp_group_table[] = {{"wgmma", &lower_wgmma}};

}  // namespace

std::span<const InstructionRow> warp_group_rows() { return warp_group_table; }

}  // namespace kiln::emulator
