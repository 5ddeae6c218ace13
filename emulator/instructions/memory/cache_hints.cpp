// prefetch, applypriority, discard, createpolicy: hints to caches, which the emulator does not have.
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"

namespace kiln::emulator {
namespace {

void do_nothing(const Step&, Warp&, LaneMask) {}

// The contents become undefined, so the bytes must be writable. Here they keep their values.
void discard(const Step& step, Warp& warp, LaneMask active) {
  constexpr unsigned line = 128;
  host_addresses(step, warp, active, 1, line, Access::write);
}

void make_policy(const Step& step, Warp& warp, LaneMask active) {
  auto* const d = warp.out<std::uint64_t>(step.operand[0]);
  each_lane(active, [=](unsigned lane) { d[lane] = 0; });
}

}  // namespace

void lower_prefetch(const ptx::Instruction&, Lowering& lowering) {
  lowering.emit(do_nothing);  // even for an invalid address
}

void lower_discard(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  const MemoryOperand place = memory_operand(instruction.operands[0], stated_space(instruction), lowering);
  place.put(lowering.emit(discard), 1);
}

void lower_createpolicy(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 1, 4);
  const Slot destination = lowering.out(instruction.operands[0], ptx::Type::b64);
  lowering.emit(make_policy).operand[0] = destination;
}

}  // namespace kiln::emulator
