// The modifiers of floating-point instructions, as handlers see them.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/step.hpp"
#include "emulator/numbers/float_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace kiln::emulator {

enum class FloatType : std::uint8_t { f16, f16x2, bf16, bf16x2, f32, f64 };

/// Stored in Step::small, so its members are single bytes.
struct FloatMode {
  Rounding rounding = Rounding::nearest;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  std::uint8_t elements = 1;  // per lane: 2 for packed types

  bool plain() const { return rounding == Rounding::nearest && !ftz && !sat && !relu; }
};

inline FloatMode mode_of(const Step& step) { return std::bit_cast<FloatMode>(step.small); }

/// The floating-point type of the instruction (the first, if there are several). Throws Unsupported if there is none.
FloatType float_type(const ptx::Instruction& instruction);
/// The type that a modifier names; false if it names none.
bool read_float_type(std::string_view modifier, FloatType& type);
/// Rounding, .ftz, .sat and .relu of the modifiers, and the elements of the type.
FloatMode float_mode(const ptx::Instruction& instruction, FloatType type);
/// The register type: b16, b32, f32, f64.
ptx::Type register_type(FloatType type);

/// Applies .ftz to an input.
template <class F>
typename F::Bits taken(typename F::Bits bits, const FloatMode& mode) {
  return mode.ftz ? flushed<F>(bits) : bits;
}

/// Applies .ftz, .sat and .relu to a result.
template <class F>
typename F::Bits finished(typename F::Bits bits, const FloatMode& mode) {
  if (mode.sat) {
    if (is_nan<F>(bits) || is_negative<F>(bits)) return 0;
    if (bits > F::one) return F::one;
  }
  if (mode.relu && is_negative<F>(bits) && !is_nan<F>(bits)) return 0;
  return mode.ftz ? flushed<F>(bits) : bits;
}

template <class Mode>
void set_small(Step& step, const Mode& mode) {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof mode>>(mode);
  std::copy(bytes.begin(), bytes.end(), step.small);
}

}  // namespace kiln::emulator
