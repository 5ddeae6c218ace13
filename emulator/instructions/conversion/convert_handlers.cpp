// cvt between f16, bf16, f32 and f64, and to integral values of the same type.
#include "emulator/instructions/conversion/convert_handlers.hpp"

namespace kiln::emulator {
namespace {

template <class From>
struct FromFormat {
  static Handler to(FloatType type) {
    switch (type) {
      case FloatType::f16:
        return convert_float<From, F16>;
      case FloatType::bf16:
        return convert_float<From, Bf16>;
      case FloatType::f32:
        return convert_float<From, F32>;
      case FloatType::f64:
        return convert_float<From, F64>;
      default:
        return nullptr;
    }
  }
};

Handler float_handler(FloatType from, FloatType to) {
  switch (from) {
    case FloatType::f16:
      return FromFormat<F16>::to(to);
    case FloatType::bf16:
      return FromFormat<Bf16>::to(to);
    case FloatType::f32:
      return FromFormat<F32>::to(to);
    case FloatType::f64:
      return FromFormat<F64>::to(to);
    default:
      return nullptr;
  }
}

}  // namespace

bool lower_float_conversion(const Conversion& conversion, Lowering& lowering) {
  FloatType from_type, to_type;
  if (!read_float_type(conversion.from, from_type) || !read_float_type(conversion.to, to_type)) return false;
  const Handler handler = float_handler(from_type, to_type);
  if (handler == nullptr) return false;
  const auto& operands = conversion.instruction.operands;
  const Slot from = in_of_size(lowering, operands[1], register_type(from_type));
  const OutOfSize to(lowering, operands[0], register_type(to_type));
  emit_float_conversion(conversion, lowering, handler, {to.slot(), from});
  to.finish(lowering);
  return true;
}

void emit_float_conversion(const Conversion& conversion, Lowering& lowering, Handler handler,
                           std::initializer_list<Slot> operands, std::uint8_t elements) {
  Step& step = lowering.emit(handler);
  std::copy(operands.begin(), operands.end(), step.operand);
  FloatMode mode = conversion.mode;
  mode.elements = elements;
  set_small(step, mode);
  step.value = (conversion.only_finite ? only_finite_bit : 0) | (conversion.to_integral ? to_integral_bit : 0);
}

}  // namespace kiln::emulator
