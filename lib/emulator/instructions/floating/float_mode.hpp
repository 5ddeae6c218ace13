// The modifiers of floating instructions: what handlers get to know of them.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/step.hpp"
#include "emulator/numbers/float_format.hpp"

#include <bit>
#include <string_view>

namespace kiln::emulator {

enum class FloatType : std::uint8_t { f16, f16x2, bf16, bf16x2, f32, f64 };

/// One byte a member: it lies in Step::small.
struct FloatMode {
  Rounding rounding = Rounding::nearest;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  std::uint8_t elements = 1;  // of a lane: 2 of the packed types

  bool plain() const { return rounding == Rounding::nearest && !ftz && !sat && !relu; }
};

inline FloatMode mode_of(const Step& step) { return std::bit_cast<FloatMode>(step.small); }

/// The instruction's one floating type (the first, where it names several); throws NotDone where it is none of these.
FloatType float_type(const ptx::Instruction& instruction);
/// That a modifier names; false where it names none of these.
bool read_float_type(std::string_view modifier, FloatType& type);
/// Rounding, .ftz, .sat and .relu of the modifiers, elements of the type.
FloatMode float_mode(const ptx::Instruction& instruction, FloatType type);
/// As registers have it: b16, b32, f32, f64.
ptx::Type register_type(FloatType type);

/// The input as the instruction sees it.
template <class F>
typename F::Bits taken(typename F::Bits bits, const FloatMode& mode) {
  return mode.ftz ? flushed<F>(bits) : bits;
}

/// What .ftz, .sat and .relu make of a result.
template <class F>
typename F::Bits finished(typename F::Bits bits, const FloatMode& mode) {
  if (mode.sat) {
    if (is_nan<F>(bits) || is_negative<F>(bits)) return 0;
    if (bits > F::one) return F::one;
  }
  if (mode.relu && is_negative<F>(bits) && !is_nan<F>(bits)) return 0;
  return mode.ftz ? flushed<F>(bits) : bits;
}

}  // namespace kiln::emulator
