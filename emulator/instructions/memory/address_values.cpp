#include "emulator/instructions/memory/address_values.hpp"

#include "emulator/instructions/memory/memory_operand.hpp"

namespace kiln::emulator {
namespace {

void keep_addresses(const Step& step, Warp& warp, LaneMask active) {
  std::uint64_t at[warp_size];
  lane_addresses(step, warp, 1, at);
  auto* const d = warp.out<std::uint64_t>(step.operand[0]);
  each_lane(active, [&](unsigned lane) { d[lane] = at[lane]; });
}

}  // namespace

AddressValues address_values(const ptx::Operand& operand, ptx::Space space, Lowering& lowering) {
  const MemoryOperand from = memory_operand(operand, space, lowering);
  const Slot kept = lowering.scratch(8);
  Step& step = lowering.emit(keep_addresses);
  step.operand[0] = kept;
  from.put(step, 1);
  return {kept, space_of(from.kind)};
}

}  // namespace kiln::emulator
