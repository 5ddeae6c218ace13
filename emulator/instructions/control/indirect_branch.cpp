// brx.idx: a branch to one of a list of labels.
#include "emulator/instructions/control/control.hpp"
#include "emulator/machine/warp.hpp"

namespace kiln::emulator {
namespace {

// Plain branches follow, one for each label: each lane goes to the one of its label.
void branch_to_index(const Step& step, Warp& warp, LaneMask active) {
  const std::uint32_t* const numbers = warp.in<std::uint32_t>(step.operand[0]);
  const std::uint32_t first_branch = warp.current().pc;
  const std::uint32_t count = static_cast<std::uint32_t>(step.value);
  while (active != 0) {
    const unsigned first = first_lane(active);
    const std::uint32_t number = numbers[first];
    if (number >= count)
      throw Fault(
          CUDA_ERROR_ILLEGAL_INSTRUCTION, first,
          "branches to number " + std::to_string(number) + " of a list of " + std::to_string(count) + " labels");
    const LaneMask lanes = lanes_where(active, [=](unsigned lane) { return numbers[lane] == number; });
    warp.jump(lanes, first_branch + number);
    active &= ~lanes;
  }
}

}  // namespace

void lower_brx(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.targets < 0) lowering.refuse("brx.idx requires a list of labels");
  const auto& labels = lowering.function().target_lists.at(static_cast<std::size_t>(instruction.targets));
  const Slot number = lowering.in(instruction.operands.at(0), ptx::Type::u32);
  Step& step = lowering.emit(branch_to_index, StepKind::control);
  step.operand[0] = number;
  step.value = static_cast<std::int64_t>(labels.size());
  for (const ptx::Operand& label : labels) {
    lowering.emit(branch, StepKind::control);
    lowering.resolve_label(label, lowering.steps_count() - 1);
  }
}

}  // namespace kiln::emulator
