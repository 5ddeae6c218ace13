// Rows of the instructions of a warp group, and those that order its products, which are done where they are issued.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"
#include "emulator/instructions/warp_group/group_form.hpp"
#include "emulator/instructions/warp_group/group_product.hpp"

#include <string>

namespace kiln::emulator {
namespace {

void wait_for_group(const Lowering& lowering) {
  expect_operands(lowering, 1);
  const ptx::Operand& pending = lowering.instruction().operands.front();
  if (pending.kind != ptx::Operand::Kind::immediate) refuse_types(lowering);
}

void lower_wgmma(const ptx::Instruction& instruction, Lowering& lowering) {
  // Of this architecture alone: later ones have tcgen05 in its place.
  if (lowering.image().module().target != "sm_90a") refuse_target(lowering);
  if (!instruction.has("sync") || !instruction.has("aligned")) refuse_types(lowering);
  if (instruction.has("mma_async")) return lower_group_product(instruction, lowering);
  if (instruction.has("wait_group"))
    wait_for_group(lowering);
  else if (instruction.has("fence") || instruction.has("commit_group"))
    expect_operands(lowering, 0);
  else
    refuse_types(lowering);
  // All threads of a warp come to it together.
  emit_by_all(lowering, [](const Step&, Warp&, LaneMask) {}, {});
}

constexpr InstructionRow warp_group_table[] = {{"wgmma", &lower_wgmma}};

}  // namespace

std::span<const InstructionRow> warp_group_rows() { return warp_group_table; }

}  // namespace kiln::emulator
