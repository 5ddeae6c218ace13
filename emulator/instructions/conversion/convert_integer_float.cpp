// cvt of integers to floating types and back.
#include "emulator/instructions/conversion/conversion.hpp"
#include "emulator/instructions/conversion/convert_handlers.hpp"
#include "emulator/numbers/exact.hpp"

namespace kiln::emulator {
namespace {

/// Stored in Step::small, so its members are single bytes.
struct ConversionMode {
  IntegerType integer;
  Rounding rounding = Rounding::nearest;
  bool ftz = false;
  bool sat = false;
};

/// Values out of range become the nearest; for NaN see "Float to integer conversions" in the PTX manual.
template <class F>
std::uint64_t integer_of(typename F::Bits bits, const ConversionMode& mode) {
  const Exact value = exact_of<F>(mode.ftz ? flushed<F>(bits) : bits);
  switch (value.kind) {
    case Exact::Kind::nan:
      return std::is_same_v<F, F64> || mode.integer.bits == 64 ? std::uint64_t{1} << (mode.integer.bits - 1) : 0;
    case Exact::Kind::zero:
      return 0;
    case Exact::Kind::infinite:
      break;
    case Exact::Kind::finite:
      if (value.top() < 63) {
        const std::uint64_t magnitude = rounded_to_unit(value, 0, mode.rounding);
        return saturated(value.negative && magnitude != 0, value.negative ? 0 - magnitude : magnitude, mode.integer);
      }
      // Values of 2^63 and more are integers already; negative ones are out of range.
      if (value.top() == 63 && !value.negative)
        return std::min(rounded_to_unit(value, 0, mode.rounding), largest(mode.integer));
  }
  if (!value.negative) return largest(mode.integer);
  return mode.integer.is_signed ? ~largest(mode.integer) : 0;
}

template <class F>
struct ToInteger {
  template <class Register>
  static void run(const Step& step, Warp& warp, LaneMask active) {
    const auto mode = std::bit_cast<ConversionMode>(step.small);
    Register* result = warp.out<Register>(step.operand[0]);
    const auto* from = warp.in<typename F::Bits>(step.operand[1]);
    each_lane_apart(active, [=](unsigned lane) {
      result[lane] = static_cast<Register>(extended(integer_of<F>(from[lane], mode), mode.integer));
    });
  }
  template <class Register>
  static constexpr Handler handler = run<Register>;
};

template <class F>
struct FromInteger {
  template <class Register>
  static void run(const Step& step, Warp& warp, LaneMask active) {
    const auto mode = std::bit_cast<ConversionMode>(step.small);
    FloatMode finish;
    finish.sat = mode.sat;
    auto* result = warp.out<typename F::Bits>(step.operand[0]);
    const Register* from = warp.in<Register>(step.operand[1]);
    each_lane_apart(active, [=](unsigned lane) {
      const std::uint64_t value = extended(from[lane], mode.integer);
      const bool negative = mode.integer.is_signed && (value >> 63) != 0;
      const Exact exact = Exact::of_integer(negative, negative ? 0 - value : value);
      result[lane] = finished<F>(rounded<F>(exact, mode.rounding), finish);
    });
  }
  template <class Register>
  static constexpr Handler handler = run<Register>;
};

template <template <class> class Family>
Handler integer_float_handler(FloatType type, unsigned register_size) {
  switch (type) {
    case FloatType::f16:
      return by_size<Family<F16>>(register_size);
    case FloatType::bf16:
      return by_size<Family<Bf16>>(register_size);
    case FloatType::f32:
      return by_size<Family<F32>>(register_size);
    case FloatType::f64:
      return by_size<Family<F64>>(register_size);
    default:
      return nullptr;
  }
}

void emit_integer_float(Lowering& lowering, Handler handler, Slot to, Slot from, const ConversionMode& mode) {
  Step& step = lowering.emit(handler);
  step.operand[0] = to;
  step.operand[1] = from;
  set_small(step, mode);
}

}  // namespace

bool lower_integer_float_conversion(const Conversion& conversion, Lowering& lowering) {
  const auto& operands = conversion.instruction.operands;
  ConversionMode mode{{}, conversion.mode.rounding, conversion.mode.ftz, conversion.mode.sat};
  FloatType type;
  unsigned size = 0;
  if (read_integer_type(conversion.to, mode.integer) && read_float_type(conversion.from, type)) {
    mode.ftz = mode.ftz && type == FloatType::f32;
    const Slot from = in_of_size(lowering, operands[1], register_type(type));
    const Slot to = lowering.out_any(operands[0], ptx::type_named(conversion.to), size);
    const Handler handler = integer_float_handler<ToInteger>(type, size);
    if (handler == nullptr) return false;
    emit_integer_float(lowering, handler, to, from, mode);
    return true;
  }
  if (!read_float_type(conversion.to, type) || !read_integer_type(conversion.from, mode.integer)) return false;
  const Slot from = lowering.in_any(operands[1], ptx::type_named(conversion.from), size);
  const Handler handler = integer_float_handler<FromInteger>(type, size);
  if (handler == nullptr) return false;
  const OutOfSize to(lowering, operands[0], register_type(type));
  emit_integer_float(lowering, handler, to.slot(), from, mode);
  to.finish(lowering);
  return true;
}

}  // namespace kiln::emulator
