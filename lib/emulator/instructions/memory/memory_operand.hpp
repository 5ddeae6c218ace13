// The address operand of an instruction: how it lies in a step, and what it comes to on the host.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/host_bytes.hpp"

#include <cstdint>

namespace kiln::emulator {

/// What an address is relative to.
enum class PlaceKind : std::uint8_t {
  generic,
  global,  // and constant memory
  shared,
  local,
  entry_param,   // the kernel's parameters
  frame_param,   // parameters and results of functions and calls
  shared_extern  // shared, behind the static variables
};

ptx::Space space_of(PlaceKind kind);

/// An address operand, found when its instruction is lowered.
struct MemoryOperand {
  PlaceKind kind = PlaceKind::generic;
  Slot base;                 // addresses of 8 bytes, or of 4
  bool narrow_base = false;  // of 4
  bool frame_local = false;  // the offset is one of the frame's locals
  bool uniform = false;      // the same in all lanes
  bool strong = false;       // .relaxed, .acquire, .release
  std::int64_t offset = 0;

  /// Writes it to a step: operand[operand_index], value, small[0] and small[1].
  void put(Step& step, unsigned operand_index) const;
};

/// The state space that the instruction's modifiers name; generic where they name none.
ptx::Space stated_space(const ptx::Instruction& instruction);
/// That operand, as an address of `space`.
MemoryOperand memory_operand(const ptx::Operand& operand, ptx::Space space, Lowering& lowering);

/// Host addresses of the lanes, by operand[operand_index] of a step that MemoryOperand::put filled; those of inactive
/// lanes mean nothing. Throws Fault as host_bytes.
struct HostAddresses {
  alignas(64) std::uint64_t at[warp_size];
  template <class T>
  T* pointer(unsigned lane) const {
    return reinterpret_cast<T*>(at[lane]);
  }
};
HostAddresses host_addresses(const Step& step, Warp& warp, LaneMask active, unsigned operand_index, unsigned size,
                             Access access);
/// The addresses themselves, in the space of the operand.
void lane_addresses(const Step& step, Warp& warp, unsigned operand_index, std::uint64_t* at);

}  // namespace kiln::emulator
