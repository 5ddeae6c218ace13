// One instruction, ready to run on the lanes of a warp.
#pragma once

#include "emulator/machine/lanes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::emulator {

class Warp;
struct Step;
struct Code;

/// Where the values of an operand lie: 32 of them, one a lane, side by side, each of the operand's type (a predicate is
/// one LaneMask instead). Either in the frame's registers, or in the code's constants.
struct Slot {
  static constexpr std::uint32_t constant_bit = 0x80000000u;
  std::uint32_t bits = 0;
  bool is_constant() const { return (bits & constant_bit) != 0; }
  std::uint32_t offset() const { return bits & ~constant_bit; }
};

/// Does the instruction for the lanes of `active` (never none; the guard has been looked at). Throws Fault.
using Handler = void (*)(const Step&, Warp&, LaneMask active);

/// How the warp's loop treats a step.
enum class StepKind : std::uint8_t {
  plain,    // runs and goes on with the next
  control,  // may change the group's place or lanes, or end or block it
  sync,     // waits until all live lanes of the member mask (operand[sync_mask]) are there; then runs once for all
};

struct Step {
  static constexpr std::uint32_t no_guard = 0xFFFFFFFFu;

  Handler run = nullptr;
  Slot operand[6];                 // as the handler wants them; by custom 0 (and 1) are the destinations
  std::uint32_t guard = no_guard;  // offset of the predicate register
  bool guard_negated = false;
  StepKind kind = StepKind::plain;
  std::uint8_t sync_mask = 0;     // of sync: which operand is the member mask
  std::uint8_t small[5] = {};     // whatever the handler wants: counts, widths, modes
  std::int64_t value = 0;         // whatever the handler wants: an address offset, a target
  std::span<const Slot> more;     // further operands: vectors, fragments; they live as long as the code
  const void* data = nullptr;     // whatever the handler wants; lives as long as the code
  std::uint32_t instruction = 0;  // index in Code::source->instructions: line, location, text
};

}  // namespace kiln::emulator
