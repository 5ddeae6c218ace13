// The address operand of an instruction: its encoding in a step, and the host addresses that result.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/host_bytes.hpp"

#include <cstdint>

namespace kiln::emulator {

/// The base that an address is relative to.
enum class PlaceKind : std::uint8_t {
  generic,
  global,  // and constant memory
  shared,
  local,
  entry_param,    // the kernel's parameters
  frame_param,    // parameters and results of functions and calls
  shared_extern,  // shared, after the static variables
  shared_cluster  // shared::cluster: of this block or another one
};

constexpr bool is_shared(PlaceKind kind) {
  return kind == PlaceKind::shared || kind == PlaceKind::shared_extern || kind == PlaceKind::shared_cluster;
}
ptx::Space space_of(PlaceKind kind);

/// An address operand of an instruction that is being lowered.
struct MemoryOperand {
  PlaceKind kind = PlaceKind::generic;
  Slot base;                 // 8 bytes per address, or 4
  bool narrow_base = false;  // 4 bytes per address
  bool frame_local = false;  // the offset is relative to the locals of the frame
  bool uniform = false;      // the same in all lanes
  bool named = false;        // of a variable, which has all bytes of the access if beyond_parameter() says no
  bool strong = false;       // .relaxed, .acquire, .release
  bool visible = false;      // in global memory as these: .volatile, and cache operators of what other blocks change
  std::int64_t offset = 0;

  /// Encodes it in a step: operand[operand_index], value, small[0] and small[1].
  void put(Step& step, unsigned operand_index) const;
};

// Of a step that MemoryOperand::put filled. Bits of small[1]:
constexpr std::uint8_t narrow_base_flag = 1, frame_local_flag = 2, strong_flag = 4, visible_flag = 8;
inline PlaceKind kind_of(const Step& step) { return static_cast<PlaceKind>(step.small[0]); }
inline bool has_narrow_base(const Step& step) { return (step.small[1] & narrow_base_flag) != 0; }
/// What is added to the base: the same for all lanes.
inline std::uint64_t address_offset(const Step& step, const Warp& warp) {
  auto offset = static_cast<std::uint64_t>(step.value);
  if ((step.small[1] & frame_local_flag) != 0) offset += warp.current().frame->local_base;
  if (kind_of(step) == PlaceKind::shared_extern) offset += warp.block().dynamic_shared_offset();
  return offset;
}

/// The state space that the modifiers name; generic by default.
ptx::Space stated_space(const ptx::Instruction& instruction);
/// The operand as an address of `space`.
MemoryOperand memory_operand(const ptx::Operand& operand, ptx::Space space, Lowering& lowering);

/// The host addresses of the lanes, from operand[operand_index] of a step that MemoryOperand::put filled. Those of
/// inactive lanes are undefined. Throws Fault as host_bytes.
struct HostAddresses {
  alignas(64) std::uint64_t at[warp_size];
  template <class T>
  T* pointer(unsigned lane) const {
    return reinterpret_cast<T*>(at[lane]);
  }
};
HostAddresses host_addresses(const Step& step, Warp& warp, LaneMask active, unsigned operand_index, unsigned size,
                             Access access);
/// The addresses before translation, in the space of the operand.
void lane_addresses(const Step& step, Warp& warp, unsigned operand_index, std::uint64_t* at);

}  // namespace kiln::emulator
