// mbarrier: barrier objects in shared memory.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <cstdint>

namespace kiln::emulator {

/// The contents of the 64-bit object. The state that an arrival returns is the object before it.
struct BarrierObject {
  std::uint32_t expected = 0;     // arrivals per phase
  std::uint32_t pending = 0;      // outstanding arrivals of this phase
  std::int32_t transactions = 0;  // outstanding bytes
  bool phase = false;             // parity of the current phase
  bool valid = false;

  static BarrierObject of(std::uint64_t bits);
  std::uint64_t bits() const;
  /// Begins the next phase if nothing is outstanding.
  void settle();
};

/// Completes `bytes` of the transactions of the barrier at the operand, for each lane: for instructions that have
/// stored them, and name the barrier as mbarrier::complete_tx::bytes.
void emit_complete_tx(const ptx::Operand& barrier, std::uint32_t bytes, Lowering& lowering);
/// complete_tx by an asynchronous copy of a lane, on the barrier at an address of shared memory.
void complete_transactions(const Step& step, Warp& warp, unsigned lane, std::uint64_t address, std::uint32_t bytes);

void lower_mbarrier(const ptx::Instruction& instruction, Lowering& lowering);
/// cp.async.mbarrier.arrive
void lower_copy_arrival(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
