// prefetch, applypriority, discard, createpolicy: hints to caches, of which there are none.
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"

namespace kiln::emulator {
namespace {

void nothing(const Step&, Warp&, LaneMask) {}

// The bytes lose their value, so they must be the kernel's to write. They keep it here.
void discard(const Step& step, Warp& warp, LaneMask active) {
  constexpr unsigned line = 128;
  host_addresses(step, warp, active, 1, line, Access::write);
}

void make_policy(const Step& step, Warp& warp, LaneMask active) {
  auto* const d = warp.out<std::uint64_t>(step.operand[0]);
  each_lane(active, [=](unsigned lane) { d[lane] = 0; });
}

}  // namespace

void lower_prefetch(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("tensormap")) throw NotDone{"a prefetch of a tensor map"};
  lowering.emit(nothing);  // of an address that is not valid, too
}

void lower_discard(const ptx::Instruction& instruction, Lowering& lowering) {
  need_operands(instruction, lowering, 1);
  const MemoryOperand place = memory_operand(instruction.operands[0], stated_space(instruction), lowering);
  place.put(lowering.emit(discard), 1);
}

void lower_createpolicy(const ptx::Instruction& instruction, Lowering& lowering) {
  need_operands(instruction, lowering, 1);
  const Slot destination = lowering.out(instruction.operands[0], ptx::Type::b64);
  lowering.emit(make_policy).operand[0] = destination;
}

}  // namespace kiln::emulator
