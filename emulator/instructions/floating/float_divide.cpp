// div, rcp and sqrt with IEEE rounding.
#include "emulator/instructions/floating/float_handlers.hpp"
#include "emulator/instructions/floating/floating.hpp"

#include <cmath>

namespace kiln::emulator {
namespace {

template <class F>
struct Quotient {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 2;
  static Bits nearest(Bits a, Bits b) { return settled<F>(widened<F>(a) / widened<F>(b), a, b); }
  static Bits directed(Bits a, Bits b, Rounding rounding) {
    return settled<F>(exact_quotient(exact_of<F>(a), exact_of<F>(b)), rounding, a, b);
  }
};

template <class F>
struct Reciprocal {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 1;
  static Bits nearest(Bits a) { return Quotient<F>::nearest(F::one, a); }
  static Bits directed(Bits a, Rounding rounding) { return Quotient<F>::directed(F::one, a, rounding); }
};

template <class F>
struct Root {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 1;
  // The f64 code of ptxas tests the sign first, so a negative NaN is treated like a negative number.
  static Bits taken_nan(Bits a) { return is_negative<F>(a) ? F::nan : a; }
  static Bits nearest(Bits a) { return settled<F>(std::sqrt(widened<F>(a)), taken_nan(a)); }
  static Bits directed(Bits a, Rounding rounding) {
    return settled<F>(exact_root(exact_of<F>(a)), rounding, taken_nan(a));
  }
};

template <template <class> class Operation>
void lower_divide(const ptx::Instruction& instruction, Lowering& lowering) {
  allow_only(instruction, {"rn", "rz", "rm", "rp", "ftz"});
  const FloatType type = float_type(instruction);
  emit_floating(instruction, lowering, wide_handler<Operation>(instruction, type), type, Operation<F32>::sources);
}

}  // namespace

void lower_div(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("approx") || instruction.has("full")) return lower_approximate_div(instruction, lowering);
  lower_divide<Quotient>(instruction, lowering);
}
void lower_rcp(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("approx")) return lower_approximate(instruction, lowering);
  lower_divide<Reciprocal>(instruction, lowering);
}
void lower_sqrt(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("approx")) return lower_approximate(instruction, lowering);
  lower_divide<Root>(instruction, lowering);
}

}  // namespace kiln::emulator
