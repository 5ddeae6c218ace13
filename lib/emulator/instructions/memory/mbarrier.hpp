// mbarrier: barriers that are objects in shared memory.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <cstdint>

namespace kiln::emulator {

/// What the 64 bits of the object hold. The state that an arrival gives back is the object as it was before.
struct BarrierObject {
  std::uint32_t expected = 0;     // arrivals of a phase
  std::uint32_t pending = 0;      // that are still to come in this one
  std::int32_t transactions = 0;  // bytes that are still to come
  bool phase = false;             // parity of the phase that is under way
  bool valid = false;

  static BarrierObject of(std::uint64_t bits);
  std::uint64_t bits() const;
  /// Begins the next phase where nothing is pending.
  void settle();
};

void lower_mbarrier(const ptx::Instruction& instruction, Lowering& lowering);
/// cp.async.mbarrier.arrive
void lower_copy_arrival(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
