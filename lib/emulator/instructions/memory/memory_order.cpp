#include "emulator/instructions/memory/memory_order.hpp"

#include "emulator/machine/warp.hpp"

#include <atomic>

namespace kiln::emulator {
namespace {

// All accesses to memory that threads of the host share are atomics, so that ThreadSanitizer, which knows no fences,
// misses nothing by this.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#endif
void fence(const Step&, Warp&, LaneMask) { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace

void emit_fence(Lowering& lowering, bool wanted) {
  if (wanted) lowering.emit(fence);
}

bool releases(const ptx::Instruction& instruction) { return instruction.has("release") || instruction.has("acq_rel"); }
bool acquires(const ptx::Instruction& instruction) { return instruction.has("acquire") || instruction.has("acq_rel"); }

void lower_fence(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("proxy::tensormap") || instruction.has("tensormap::generic"))
    throw NotDone{"a fence of the tensormap proxy"};
  emit_fence(lowering);
}

}  // namespace kiln::emulator
