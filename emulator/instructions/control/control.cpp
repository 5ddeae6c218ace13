// Branches, exits, and instructions that only affect timing.
#include "emulator/instructions/control/control.hpp"

#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/lowering/register_places.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/warp.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace kiln::emulator {

void branch(const Step& step, Warp& warp, LaneMask active) {
  warp.jump(active, static_cast<std::uint32_t>(step.value));
}

namespace {

void return_from_function(const Step&, Warp& warp, LaneMask active) { warp.leave_frame(active); }

void exit_kernel(const Step&, Warp& warp, LaneMask active) { warp.exit(active); }

bool reads_workspace(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::special && (operand.name == "%envreg1" || operand.name == "%envreg2");
}

/// Cooperative groups find the barrier of the grid there, and stop the kernel where there is none.
bool looks_for_grid_barrier(const Frame* frame) {
  for (; frame != nullptr; frame = frame->caller)
    for (const ptx::Instruction& each : frame->code->source->instructions)
      if (std::any_of(each.operands.begin(), each.operands.end(), reads_workspace)) return true;
  return false;
}

void trap(const Step&, Warp& warp, LaneMask active) {
  std::string text = "stops the kernel by trap";
  if (!warp.block().request().cooperative && looks_for_grid_barrier(&warp.frame()))
    text +=
        "; it waits for the whole grid (this_grid().sync()), and the launch is not cooperative: launch it with "
        "LaunchAttributes::cooperative, as cuLaunchCooperativeKernel does";
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(active), text);
}

// As on a GPU.
void stop_without_debugger(const Step&, Warp&, LaneMask active) {
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(active), "stops the kernel by brkpt, and no debugger is there");
}

void yield(const Step&, Warp& warp, LaneMask) { warp.yield(); }

void lower_bra(const ptx::Instruction& instruction, Lowering& lowering) {
  lowering.emit(branch, StepKind::control);
  lowering.resolve_label(instruction.operands.at(0), lowering.steps_count() - 1);
}

void lower_ret(const ptx::Instruction&, Lowering& lowering) {
  store_register_returns(lowering, *lowering.image().code(lowering.function().name));
  lowering.emit(return_from_function, StepKind::control);
}

void lower_exit(const ptx::Instruction&, Lowering& lowering) { lowering.emit(exit_kernel, StepKind::control); }

void lower_trap(const ptx::Instruction&, Lowering& lowering) { lowering.emit(trap, StepKind::control); }

void lower_breakpoint(const ptx::Instruction&, Lowering& lowering) {
  lowering.emit(stop_without_debugger, StepKind::control);
}

void lower_nanosleep(const ptx::Instruction&, Lowering& lowering) { lowering.emit(yield, StepKind::control); }

// Registers are not moved between warps; only the text is checked.
void lower_setmaxnreg(const ptx::Instruction& instruction, Lowering& lowering) {
  const ptx::Module& module = lowering.image().module();
  const bool has_own_features = !module.target.empty() && (module.target.back() == 'a' || module.target.back() == 'f');
  if (!has_own_features || module.sm < 90) refuse_target(lowering);
  expect_operands(lowering, 1);
  if (instruction.has("inc") == instruction.has("dec") || !instruction.has("u32")) refuse_types(lowering);
  const ptx::Operand& count = instruction.operands.front();
  if (count.kind != ptx::Operand::Kind::immediate) refuse_types(lowering);
  const std::string argument =
                        "Argument 1 of instruction 'setmaxnreg." + std::string(instruction.modifiers.front()) + "': ",
                    value = "value '" + std::to_string(static_cast<std::int64_t>(count.bits)) + "'";
  if (count.bits < 24 || count.bits > 256)
    refuse(lowering, argument + value + " out of range, expected to be in range [24..256]");
  if (count.bits % 8 != 0) refuse(lowering, argument + "unexpected " + value + ", expected to be multiple of 8");
}

// Launches of a stream run one after the other, and see each other's writes.
void lower_griddepcontrol(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 0);
  if (instruction.has("wait") == instruction.has("launch_dependents")) refuse_types(lowering);
}

// For debuggers, profilers and scheduling of the hardware: no effect.
void lower_nothing(const ptx::Instruction&, Lowering&) {}

}  // namespace

std::span<const InstructionRow> control_rows() {
  static constexpr InstructionRow rows[] = {
      {"bra", lower_bra},
      {"brx", lower_brx},
      {"call", lower_call},
      {"ret", lower_ret},
      {"exit", lower_exit},
      {"bar", lower_barrier},
      {"barrier", lower_barrier},
      {"trap", lower_trap},
      {"nanosleep", lower_nanosleep},
      {"brkpt", lower_breakpoint},
      {"pmevent", lower_nothing},
      {"setmaxnreg", lower_setmaxnreg},
      {"griddepcontrol", lower_griddepcontrol},
      {"getctarank", lower_getctarank},
      {"mapa", lower_mapa},
      {"alloca", lower_alloca},
      {"stacksave", lower_stacksave},
      {"stackrestore", lower_stackrestore},
  };
  return rows;
}

}  // namespace kiln::emulator
