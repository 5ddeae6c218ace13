// A lowered instruction.
#pragma once

#include "emulator/machine/lanes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::emulator {

class Warp;
struct Step;
struct Code;

/// The place of an operand's values: 32 of them, one per lane, of the operand's type, side by side (of a predicate: one
/// LaneMask). In the registers of the frame or among the constants of the code.
struct Slot {
  static constexpr std::uint32_t constant_bit = 0x80000000u;
  std::uint32_t bits = 0;
  bool is_constant() const { return (bits & constant_bit) != 0; }
  std::uint32_t offset() const { return bits & ~constant_bit; }
};

/// Executes the instruction for the lanes of `active`: at least one; the guard has been applied. Throws Fault.
using Handler = void (*)(const Step&, Warp&, LaneMask active);

/// How the loop of the warp treats a step.
enum class StepKind : std::uint8_t {
  plain,    // runs, then the next step follows
  control,  // may jump, exit or block
  sync,     // waits for all live lanes of the member mask (operand[sync_mask]), then runs once for all
};

struct Step {
  static constexpr std::uint32_t no_guard = 0xFFFFFFFFu;

  Handler run = nullptr;
  Slot operand[6];                 // as the handler expects them; usually 0 (and 1) are destinations
  std::uint32_t guard = no_guard;  // offset of the predicate register
  bool guard_negated = false;
  StepKind kind = StepKind::plain;
  std::uint8_t sync_mask = 0;     // sync: index of the operand that is the member mask
  std::uint8_t small[5] = {};     // for the handler: counts, widths, modes
  std::int64_t value = 0;         // for the handler: an address offset, a target
  std::span<const Slot> more;     // further operands (vectors, fragments), owned by the code
  const void* data = nullptr;     // for the handler; owned by the code
  std::uint32_t instruction = 0;  // index in Code::source->instructions: line, location, text
};

}  // namespace kiln::emulator
