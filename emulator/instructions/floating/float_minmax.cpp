// min and max. A number wins over a NaN, except with .NaN. -0 is less than +0.
#include "emulator/instructions/floating/float_handlers.hpp"
#include "emulator/instructions/floating/floating.hpp"

namespace kiln::emulator {
namespace {

constexpr std::int64_t nan_wins = 1, xor_sign = 2;  // Step::value

template <class F>
typename F::Bits no_number(typename F::Bits b) {
  // For two NaNs the f64 code of ptxas returns the second.
  return F::keeps_payload ? static_cast<typename F::Bits>(b | F::quiet) : F::nan;
}

template <class F, bool maximum>
typename F::Bits chosen(typename F::Bits a, typename F::Bits b, bool nan) {
  const bool a_nan = is_nan<F>(a), b_nan = is_nan<F>(b);
  if (a_nan && b_nan) return no_number<F>(b);
  if (a_nan || b_nan) return nan ? nan_from<F>(a, b) : a_nan ? b : a;
  const auto left = widened<F>(a), right = widened<F>(b);
  const bool a_less = left < right || (left == right && is_negative<F>(a));
  return a_less == maximum ? b : a;
}

template <class F, bool maximum>
void minmax(const Step& step, Warp& warp, LaneMask active) {
  using Bits = typename F::Bits;
  const FloatMode mode = mode_of(step);
  const bool nan = (step.value & nan_wins) != 0, by_magnitude = (step.value & xor_sign) != 0;
  Bits* result = warp.out<Bits>(step.operand[0]);
  const Bits *left = warp.in<Bits>(step.operand[1]), *right = warp.in<Bits>(step.operand[2]);
  each_element(active, mode.elements, [=](unsigned i) {
    const Bits a = taken<F>(left[i], mode), b = taken<F>(right[i], mode);
    if (!by_magnitude) {
      result[i] = chosen<F, maximum>(a, b, nan);
      return;
    }
    const Bits found = chosen<F, maximum>(magnitude_of<F>(a), magnitude_of<F>(b), nan);
    result[i] = is_nan<F>(found) ? found : static_cast<Bits>(found | ((a ^ b) & F::sign));
  });
}

template <bool maximum>
Handler handler(FloatType type) {
  switch (type) {
    case FloatType::f16:
    case FloatType::f16x2:
      return minmax<F16, maximum>;
    case FloatType::bf16:
    case FloatType::bf16x2:
      return minmax<Bf16, maximum>;
    case FloatType::f32:
      return minmax<F32, maximum>;
    case FloatType::f64:
      break;
  }
  return minmax<F64, maximum>;
}

void lower_minmax(const ptx::Instruction& instruction, Lowering& lowering, Handler (*handler_for)(FloatType)) {
  allow_only(instruction, {"ftz", "NaN", "xorsign", "abs"});
  if (instruction.operands.size() == 4) throw_unsupported(instruction, "of three operands");
  const FloatType type = float_type(instruction);
  Step& step = emit_floating(instruction, lowering, handler_for(type), type, 2);
  step.value = (instruction.has("NaN") ? nan_wins : 0) | (instruction.has("xorsign") ? xor_sign : 0);
}

}  // namespace

void lower_float_min(const ptx::Instruction& instruction, Lowering& lowering) {
  lower_minmax(instruction, lowering, handler<false>);
}
void lower_float_max(const ptx::Instruction& instruction, Lowering& lowering) {
  lower_minmax(instruction, lowering, handler<true>);
}

}  // namespace kiln::emulator
