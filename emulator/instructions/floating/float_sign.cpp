// neg, abs, copysign, testp.
#include "emulator/instructions/floating/float_handlers.hpp"
#include "emulator/instructions/floating/floating.hpp"

#include <array>

namespace kiln::emulator {
namespace {

// The hardware adds a zero to the operand with its sign changed. So a NaN becomes the NaN of a sum, with its own sign.
template <class F>
typename F::Bits unless_nan(typename F::Bits bits, typename F::Bits result) {
  return is_nan<F>(bits) ? nan_from<F>(bits) : result;
}

template <class F>
struct Negation {
  using Format = F;
  static constexpr unsigned sources = 1;
  static typename F::Bits nearest(typename F::Bits bits) { return unless_nan<F>(bits, negated<F>(bits)); }
};

template <class F>
struct AbsoluteValue {
  using Format = F;
  static constexpr unsigned sources = 1;
  static typename F::Bits nearest(typename F::Bits bits) { return unless_nan<F>(bits, magnitude_of<F>(bits)); }
};

/// The sign of a, the rest of b.
template <class F>
struct SignCopy {
  using Format = F;
  static constexpr unsigned sources = 2;
  static typename F::Bits nearest(typename F::Bits a, typename F::Bits b) { return (a & F::sign) | magnitude_of<F>(b); }
};

// Classes of values, one bit each.
constexpr unsigned zero_or_normal = 1, subnormal = 2, infinite = 4, not_a_number = 8;
constexpr std::pair<std::string_view, unsigned> properties[] = {
    {"finite", zero_or_normal | subnormal},
    {"infinite", infinite},
    {"number", zero_or_normal | subnormal | infinite},
    {"notanumber", not_a_number},
    {"normal", zero_or_normal},
    {"subnormal", subnormal},
};

template <class F>
unsigned class_of(typename F::Bits bits) {
  if (is_nan<F>(bits)) return not_a_number;
  if (is_infinite<F>(bits)) return infinite;
  return is_subnormal<F>(bits) ? subnormal : zero_or_normal;
}

template <class F>
void testp(const Step& step, Warp& warp, LaneMask active) {
  const auto* a = warp.in<typename F::Bits>(step.operand[1]);
  const unsigned classes = step.small[0];
  warp.set_mask(step.operand[0], active,
                lanes_where(active, [=](unsigned lane) { return (class_of<F>(a[lane]) & classes) != 0; }));
}

}  // namespace

void lower_float_neg(const ptx::Instruction& instruction, Lowering& lowering) {
  allow_only(instruction, {"ftz"});
  const FloatType type = float_type(instruction);
  emit_floating(instruction, lowering, handler_of<Negation>(instruction, type), type, 1);
}

void lower_float_abs(const ptx::Instruction& instruction, Lowering& lowering) {
  allow_only(instruction, {"ftz"});
  const FloatType type = float_type(instruction);
  emit_floating(instruction, lowering, handler_of<AbsoluteValue>(instruction, type), type, 1);
}

void lower_copysign(const ptx::Instruction& instruction, Lowering& lowering) {
  allow_only(instruction, {});
  const FloatType type = float_type(instruction);
  emit_floating(instruction, lowering, wide_handler<SignCopy>(instruction, type), type, 2);
}

void lower_testp(const ptx::Instruction& instruction, Lowering& lowering) {
  const FloatType type = float_type(instruction);
  unsigned classes = 0;
  for (const auto& [name, members] : properties)
    if (instruction.has(name)) classes = members;
  if (classes == 0) throw Unsupported{"testp without a property"};
  if (instruction.operands.size() != 2 || (type != FloatType::f32 && type != FloatType::f64))
    lowering.refuse("Unexpected form of instruction 'testp'");
  const Slot a = lowering.in(instruction.operands[1], register_type(type));
  const Slot p = lowering.out(instruction.operands[0], ptx::Type::pred);
  Step& step = lowering.emit(type == FloatType::f32 ? testp<F32> : testp<F64>);
  step.operand[0] = p;
  step.operand[1] = a;
  step.small[0] = static_cast<std::uint8_t>(classes);
}

}  // namespace kiln::emulator
