// add, sub, mul, fma and mad.
#include "emulator/instructions/floating/float_handlers.hpp"
#include "emulator/instructions/floating/floating.hpp"

#include <cmath>

namespace kiln::emulator {
namespace {

/// a + b rounded to odd: rounding that again, to at most half as many bits, gives the same as rounding once.
template <class T, class Bits>
T sum_to_odd(T a, T b) {
  const T sum = a + b;
  const T b_part = sum - a;
  const T error = (a - (sum - b_part)) + (b - b_part);
  const auto bits = std::bit_cast<Bits>(sum);
  if (!(error > 0 || error < 0) || (bits & 1) != 0) return sum;
  return std::bit_cast<T>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

template <class F>
struct Sum {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 2;
  static Bits nearest(Bits a, Bits b) {
    // An f32 has more than twice the bits of f16 and bf16, so rounding twice is the same as rounding once.
    if constexpr (std::is_same_v<F, F16>)
      return half_of_float(widened<F>(a) + widened<F>(b));
    else if constexpr (std::is_same_v<F, Bf16>)
      return bfloat_of_float(widened<F>(a) + widened<F>(b));
    else
      return settled<F>(widened<F>(a) + widened<F>(b), b, a);
  }
  static Bits directed(Bits a, Bits b, Rounding rounding) {
    return settled<F>(exact_sum(exact_of<F>(a), exact_of<F>(b), rounding), rounding, b, a);
  }
};

template <class F>
struct Difference {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 2;
  static Bits nearest(Bits a, Bits b) {
    if constexpr (std::is_same_v<F, F32>)  // which has one NaN only
      return settled<F>(widened<F>(a) - widened<F>(b));
    else
      return Sum<F>::nearest(a, turned(b));
  }
  static Bits directed(Bits a, Bits b, Rounding rounding) { return Sum<F>::directed(a, turned(b), rounding); }

 private:
  // A NaN operand keeps its sign.
  static Bits turned(Bits b) { return is_nan<F>(b) ? b : negated<F>(b); }
};

template <class F>
struct ProductOperation {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 2;
  static Bits nearest(Bits a, Bits b) {
    if constexpr (std::is_same_v<F, F16>)
      return half_of_float(widened<F>(a) * widened<F>(b));  // the product is exact in f32
    else if constexpr (std::is_same_v<F, Bf16>)
      return narrowed<F>(double{widened<F>(a)} * double{widened<F>(b)});  // f32 could underflow
    else
      return settled<F>(widened<F>(a) * widened<F>(b), b, a);
  }
  static Bits directed(Bits a, Bits b, Rounding rounding) {
    return settled<F>(exact_product(exact_of<F>(a), exact_of<F>(b)), rounding, b, a);
  }
};

template <class F>
struct Fma {
  using Format = F;
  using Bits = typename F::Bits;
  static constexpr unsigned sources = 3;
  static Bits nearest(Bits a, Bits b, Bits c) {
    // The product is exact.
    if constexpr (std::is_same_v<F, F16>)
      return half_of_float(sum_to_odd<float, std::uint32_t>(widened<F>(a) * widened<F>(b), widened<F>(c)));
    else if constexpr (std::is_same_v<F, Bf16>)
      return narrowed<F>(
          sum_to_odd<double, std::uint64_t>(double{widened<F>(a)} * double{widened<F>(b)}, double{widened<F>(c)}));
    else
      return settled<F>(std::fma(widened<F>(a), widened<F>(b), widened<F>(c)), b, c, a);
  }
  static Bits directed(Bits a, Bits b, Bits c, Rounding rounding) {
    const Exact product = exact_product(exact_of<F>(a), exact_of<F>(b));
    return settled<F>(exact_sum(product, exact_of<F>(c), rounding), rounding, b, c, a);
  }
};

template <template <class> class Operation>
void lower_arithmetic(const ptx::Instruction& instruction, Lowering& lowering) {
  allow_only(instruction, {"rn", "rz", "rm", "rp", "ftz", "sat", "relu"});
  const FloatType type = float_type(instruction);
  Step& step =
      emit_floating(instruction, lowering, handler_of<Operation>(instruction, type), type, Operation<F32>::sources);
  use_plain<Operation>(step, type);
}

}  // namespace

void lower_float_add(const ptx::Instruction& instruction, Lowering& lowering) {
  lower_arithmetic<Sum>(instruction, lowering);
}
void lower_float_sub(const ptx::Instruction& instruction, Lowering& lowering) {
  lower_arithmetic<Difference>(instruction, lowering);
}
void lower_float_mul(const ptx::Instruction& instruction, Lowering& lowering) {
  lower_arithmetic<ProductOperation>(instruction, lowering);
}
void lower_float_fma(const ptx::Instruction& instruction, Lowering& lowering) {
  lower_arithmetic<Fma>(instruction, lowering);
}

}  // namespace kiln::emulator
