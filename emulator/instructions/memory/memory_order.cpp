#include "emulator/instructions/memory/memory_order.hpp"

#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/machine/async_checks.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/memory_checks.hpp"

#include <atomic>

namespace kiln::emulator {

namespace {

// All accesses to memory shared by host threads are atomic, so ThreadSanitizer, which does not understand fences,
// misses nothing.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#endif
void fence(const Step&, Warp&, LaneMask) { std::atomic_thread_fence(std::memory_order_seq_cst); }

// For threads of other blocks, too.
void fence_device(const Step& step, Warp& warp, LaneMask active) {
  fence(step, warp, active);
  if (MemoryChecks* const checks = warp.block().checks()) checks->fence();
}

void fence_proxy(const Step& step, Warp& warp, LaneMask active) {
  fence(step, warp, active);
  if (AsyncChecks* const checks = async_checks(warp)) checks->fence_proxy(warp, active);
}

}  // namespace

void emit_fence(Lowering& lowering, bool wanted) {
  if (wanted) lowering.emit(lowering.instruction().has("cta") ? fence : fence_device);
}

bool releases(const ptx::Instruction& instruction) { return instruction.has("release") || instruction.has("acq_rel"); }
bool acquires(const ptx::Instruction& instruction) { return instruction.has("acquire") || instruction.has("acq_rel"); }

// Those of proxies, too: asynchronous copies, and reads of tensor maps, are done at once.
void lower_fence(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("proxy"))
    lowering.emit(fence_proxy);
  else
    emit_fence(lowering);
}

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
