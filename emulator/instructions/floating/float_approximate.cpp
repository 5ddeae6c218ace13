// Approximate operations of PTX: sin, cos, lg2, ex2, tanh, and the fast forms of div, rcp, sqrt and rsqrt. They are
// computed in double and rounded once, well within the error bounds of the manual.
#include "emulator/instructions/floating/float_handlers.hpp"
#include "emulator/instructions/floating/floating.hpp"

#include <cmath>

namespace kiln::emulator {
namespace {

double root(double a) { return std::sqrt(a); }
double reciprocal(double a) { return 1.0 / a; }
double reciprocal_root(double a) { return 1.0 / std::sqrt(a); }

template <class F, double (*function)(double)>
struct Function {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 1;
  static Bits nearest(Bits a) {
    if constexpr (std::is_same_v<F, F64>)
      return settled<F>(function(widened<F>(a)), a);
    else
      return narrowed<F>(function(double{widened<F>(a)}));
  }
};

/// .approx.ftz.f64 uses the upper 32 bits only, of operand and result.
template <double (*function)(double)>
struct UpperHalf {
  using Format = F64;
  static constexpr unsigned sources = 1;
  static std::uint64_t nearest(std::uint64_t a) {
    constexpr std::uint64_t upper = 0xFFFFFFFF00000000;
    const std::uint64_t result = Function<F64, function>::nearest(a & upper);
    if (is_nan<F64>(result)) return 0x7FFFFFFF00000000;
    const bool in_range = magnitude_of<F64>(result) < F64::max_finite - 0x80000000u;
    return (in_range ? result + 0x80000000u : result) & upper;
  }
};

template <bool full>
struct Division {
  using Format = F32;
  static constexpr unsigned sources = 2;
  static std::uint32_t nearest(std::uint32_t a, std::uint32_t b) {
    // .approx multiplies by 1/b, which is flushed to zero for b above 2^126.
    constexpr std::uint32_t limit = (F32::max_exponent - 1 + F32::max_exponent) << F32::fraction_bits;
    if (!full && magnitude_of<F32>(b) > limit && magnitude_of<F32>(b) <= F32::max_finite && !is_nan<F32>(a))
      return is_infinite<F32>(a) ? F32::nan : (a ^ b) & F32::sign;
    return narrowed<F32>(double{widened<F32>(a)} / double{widened<F32>(b)});
  }
};

struct ApproximateRow {
  std::string_view opcode;
  Handler f32, f16, bf16, f64, f64_ftz;  // null: not available
  Handler (*plain_f32)() = nullptr;      // of a vectorised handler without modifiers
};
template <double (*function)(double)>
constexpr Handler wide = arithmetic<Function<F32, function>>;
template <double (*function)(double)>
constexpr auto plain = for_processor<&plain_arithmetic<Function<F32, function>>>;
template <double (*function)(double)>
constexpr ApproximateRow with_halves(std::string_view opcode) {
  return {opcode, wide<function>, arithmetic<Function<F16, function>>, arithmetic<Function<Bf16, function>>, {}, {}};
}
constexpr ApproximateRow float_approximate_table[] = {
    {"sin", wide<std::sin>, {}, {}, {}, {}},
    {"cos", wide<std::cos>, {}, {}, {}, {}},
    {"lg2", wide<std::log2>, {}, {}, {}, {}},
    with_halves<std::exp2>("ex2"),
    with_halves<std::tanh>("tanh"),
    {"sqrt", wide<root>, {}, {}, {}, {}, plain<root>},
    {"rcp", wide<reciprocal>, {}, {}, {}, arithmetic<UpperHalf<reciprocal>>, plain<reciprocal>},
    {"rsqrt",
     wide<reciprocal_root>,
     {},
     {},
     arithmetic<Function<F64, reciprocal_root>>,
     arithmetic<UpperHalf<reciprocal_root>>,
     plain<reciprocal_root>},
};

Handler handler_of_row(const ApproximateRow& row, FloatType type, bool ftz) {
  switch (type) {
    case FloatType::f16:
    case FloatType::f16x2:
      return row.f16;
    case FloatType::bf16:
    case FloatType::bf16x2:
      return row.bf16;
    case FloatType::f32:
      return row.f32;
    case FloatType::f64:
      break;
  }
  return ftz ? row.f64_ftz : row.f64;
}

}  // namespace

void lower_approximate(const ptx::Instruction& instruction, Lowering& lowering) {
  allow_only(instruction, {"approx", "ftz"});
  const FloatType type = float_type(instruction);
  for (const ApproximateRow& row : float_approximate_table) {
    if (row.opcode != instruction.opcode) continue;
    const Handler handler = handler_of_row(row, type, instruction.has("ftz"));
    if (handler == nullptr) throw_unsupported(instruction, "of this type");
    Step& step = emit_floating(instruction, lowering, handler, type, 1);
    if (row.plain_f32 != nullptr && type == FloatType::f32 && mode_of(step).plain()) step.run = row.plain_f32();
    return;
  }
  throw_unsupported(instruction, "approximate");
}

void lower_approximate_div(const ptx::Instruction& instruction, Lowering& lowering) {
  allow_only(instruction, {"approx", "full", "ftz"});
  if (float_type(instruction) != FloatType::f32) throw_unsupported(instruction, "approximate of this type");
  const Handler handler = instruction.has("full") ? arithmetic<Division<true>> : arithmetic<Division<false>>;
  emit_floating(instruction, lowering, handler, FloatType::f32, 2);
}

}  // namespace kiln::emulator
