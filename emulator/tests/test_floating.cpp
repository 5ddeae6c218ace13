// Arithmetic of floating types: against the host's own, with the NaNs that NVIDIA hardware gives.
#include "emulator/numbers/exact.hpp"
#include "emulator/numbers/half.hpp"
#include "float_samples.hpp"
#include "run_floating.hpp"

#include <cfenv>
#include <cmath>

namespace kiln::emulator::floating_test {
namespace {

constexpr std::size_t samples = 3200;

template <class F>
struct Samples {
  Cells a, b;
  Samples() {
    std::vector<typename F::Bits> left, right;
    float_pairs<F>(samples, left, right);
    a.assign(left.begin(), left.end());
    b.assign(right.begin(), right.end());
    // The upper half of a's cells is a third value.
    if (sizeof(typename F::Bits) < 8)
      for (std::size_t i = 0; i < a.size(); ++i) a[i] |= std::uint64_t{right[(i * 7 + 3) % right.size()]} << 32;
  }
};

std::uint64_t settled_f32(float value) { return std::isnan(value) ? F32::nan : bits_of(value); }
/// The first NaN goes through, made quiet.
std::uint64_t settled_f64(double value, std::initializer_list<std::uint64_t> operands) {
  if (!std::isnan(value)) return bits_of(value);
  for (const std::uint64_t each : operands)
    if (is_nan<F64>(each)) return each | F64::quiet;
  return F64::nan;
}
float third(std::uint64_t cell) { return f32_of(cell >> 32); }

class HostRounding {
 public:
  explicit HostRounding(int mode) { std::fesetround(mode); }
  ~HostRounding() { std::fesetround(FE_TONEAREST); }
};
template <class T>
T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

const std::pair<std::string, int> roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// A result is tiny, and flushed, by what it was before it was rounded.
float flush_result(double exact, float rounded) {
  return std::fabs(exact) < 0x1p-126 ? std::copysign(0.0f, rounded) : rounded;
}
float flush(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }

}  // namespace

TEST_CASE("f32 arithmetic, every rounding") {
  const Samples<F32> s;
  for (const auto& [name, mode] : roundings) {
    const auto check = [&, host_mode = mode](const std::string& instruction, auto host) {
      const Cells got = run_floating(instruction, "f32", "f32", s.a, s.b);
      check_cells(instruction, got, s.a, s.b, [&](std::size_t i) {
        const HostRounding rounding(host_mode);
        return settled_f32(opaque<float>(host(opaque(f32_of(s.a[i])), opaque(f32_of(s.b[i])), opaque(third(s.a[i])))));
      });
    };
    check("add." + name + ".f32 $d, $a, $b;", [](float a, float b, float) { return a + b; });
    check("sub." + name + ".f32 $d, $a, $b;", [](float a, float b, float) { return a - b; });
    check("mul." + name + ".f32 $d, $a, $b;", [](float a, float b, float) { return a * b; });
    check("div." + name + ".f32 $d, $a, $b;", [](float a, float b, float) { return a / b; });
    check("rcp." + name + ".f32 $d, $a;", [](float a, float, float) { return 1.0f / a; });
    check("sqrt." + name + ".f32 $d, $a;", [](float a, float, float) { return std::sqrt(a); });
    check("fma." + name + ".f32 $d, $a, $b, $c;", [](float a, float b, float c) { return std::fma(a, b, c); });
    check("mad." + name + ".f32 $d, $a, $b, $c;", [](float a, float b, float c) { return std::fma(a, b, c); });
  }
}

TEST_CASE("f64 arithmetic, every rounding") {
  const Samples<F64> s;
  for (const auto& [name, mode] : roundings) {
    // Which NaN goes through where several operands are one: an H200 looks at them in this order.
    enum class Order { b_first, a_first, a_alone };
    const auto check = [&, host_mode = mode](const std::string& instruction, Order order, auto host) {
      const Cells got = run_floating(instruction, "f64", "f64", s.a, s.b);
      check_cells(instruction, got, s.a, s.b, [&](std::size_t i) {
        const HostRounding rounding(host_mode);
        const double value = opaque<double>(host(opaque(f64_of(s.a[i])), opaque(f64_of(s.b[i]))));
        if (order == Order::a_alone) return settled_f64(value, {s.a[i]});
        return order == Order::a_first ? settled_f64(value, {s.a[i], s.b[i]}) : settled_f64(value, {s.b[i], s.a[i]});
      });
    };
    check("add." + name + ".f64 $d, $a, $b;", Order::b_first, [](double a, double b) { return a + b; });
    check("sub." + name + ".f64 $d, $a, $b;", Order::b_first, [](double a, double b) { return a - b; });
    check("mul." + name + ".f64 $d, $a, $b;", Order::b_first, [](double a, double b) { return a * b; });
    check("div." + name + ".f64 $d, $a, $b;", Order::a_first, [](double a, double b) { return a / b; });
    check("rcp." + name + ".f64 $d, $a;", Order::a_alone, [](double a, double) { return 1.0 / a; });
    check("fma." + name + ".f64 $d, $a, $b, $c;", Order::b_first, [](double a, double b) { return std::fma(a, b, b); });
  }
}

TEST_CASE("f64 NaNs go through as an H200 passes them: b before a, of fma b, c, a; a sign is kept") {
  const std::uint64_t a = 0x7FF0000000000001, b = 0xFFF8000000000002, one = bits_of(1.0);
  const std::uint64_t quiet_a = a | F64::quiet;
  const auto result = [](const std::string& instruction, std::uint64_t left, std::uint64_t right) {
    return run_floating(instruction, "f64", "f64", {left}, {right})[0];
  };
  for (const std::string operation : {"add.f64", "sub.f64", "mul.f64", "add.rz.f64", "sub.rz.f64", "mul.rz.f64"}) {
    CAPTURE(operation);
    CHECK(result(operation + " $d, $a, $b;", a, b) == b);
    CHECK(result(operation + " $d, $b, $a;", a, b) == quiet_a);
    CHECK(result(operation + " $d, $a, $b;", one, b) == b);
    CHECK(result(operation + " $d, $a, $b;", a, one) == quiet_a);
  }
  for (const std::string fma : {"fma.rn.f64", "fma.rz.f64"}) {
    CAPTURE(fma);
    CHECK(result(fma + " $d, $a, $b, $a;", a, b) == b);
    CHECK(result(fma + " $d, $b, $a, $b;", a, b) == quiet_a);
    // $c is what $b is: c before a where b is a number.
    CHECK(result("mov.f64 $d, 0d3FF0000000000000; " + fma + " $d, $a, $d, $c;", a, b) == b);
    CHECK(result("mov.f64 $d, 0d3FF0000000000000; " + fma + " $d, $a, $d, $d;", a, b) == quiet_a);
  }
  CHECK(result("neg.f64 $d, $a;", a, one) == quiet_a);
  CHECK(result("neg.f64 $d, $b;", one, b) == b);
  CHECK(result("abs.f64 $d, $b;", one, b) == b);
}

TEST_CASE("sqrt of f64: a negative NaN counts as a negative number") {
  const Samples<F64> s;
  for (const auto& [name, mode] : roundings) {
    const std::string instruction = "sqrt." + name + ".f64 $d, $a;";
    check_cells(instruction, run_floating(instruction, "f64", "f64", s.a, s.b), s.a, s.b,
                [&, host_mode = mode](std::size_t i) {
                  const HostRounding rounding(host_mode);
                  if (is_nan<F64>(s.a[i]) && is_negative<F64>(s.a[i])) return F64::nan;
                  return settled_f64(opaque(std::sqrt(opaque(f64_of(s.a[i])))), {s.a[i]});
                });
  }
}

TEST_CASE(".ftz makes subnormal inputs and results zeros of their sign, .sat keeps to [0, 1]") {
  const Samples<F32> s;
  const auto check = [&](const std::string& instruction, auto host) {
    const Cells got = run_floating(instruction, "f32", "f32", s.a, s.b);
    check_cells(instruction, got, s.a, s.b,
                [&](std::size_t i) { return settled_f32(host(f32_of(s.a[i]), f32_of(s.b[i]), third(s.a[i]))); });
  };
  const auto saturate = [](float value) { return std::isnan(value) || !(value > 0) ? 0.0f : std::fmin(value, 1.0f); };
  check("add.ftz.f32 $d, $a, $b;", [](float a, float b, float) { return flush(flush(a) + flush(b)); });
  const auto product = [](float a, float b) {
    a = flush(a), b = flush(b);
    return flush_result(double{a} * double{b}, a * b);
  };
  check("mul.ftz.f32 $d, $a, $b;", [&](float a, float b, float) { return product(a, b); });
  check("fma.rn.ftz.f32 $d, $a, $b, $c;", [](float a, float b, float c) {
    a = flush(a), b = flush(b), c = flush(c);
    const float rounded = std::fma(a, b, c);
    const HostRounding towards_zero(FE_TOWARDZERO);  // the product is exact, the sum need not be
    return flush_result(opaque(opaque(double{a} * double{b}) + opaque(double{c})), rounded);
  });
  check("div.rn.ftz.f32 $d, $a, $b;", [](float a, float b, float) { return flush(flush(a) / flush(b)); });
  check("neg.ftz.f32 $d, $a;", [](float a, float, float) { return -flush(a); });
  check("add.sat.f32 $d, $a, $b;", [&](float a, float b, float) { return saturate(a + b); });
  check("fma.rn.sat.f32 $d, $a, $b, $c;", [&](float a, float b, float c) { return saturate(std::fma(a, b, c)); });
  check("mul.ftz.sat.f32 $d, $a, $b;", [&](float a, float b, float) { return saturate(product(a, b)); });
}

TEST_CASE("lanes that a guard leaves out keep what they had") {
  const std::string body =
      "ld.global.f32 %f1, [%a]; ld.global.f32 %f2, [%b]; mov.f32 %f9, 0f40400000;\n"
      "setp.lt.f32 %p3, %f1, %f2;\n@%p3 fma.rn.f32 %f9, %f1, %f2, %f2;\nst.global.f32 [%out], %f9;\n";
  Cells a, b;
  for (int i = 0; i < 64; ++i) {
    a.push_back(bits_of(static_cast<float>(i % 5)));
    b.push_back(bits_of(static_cast<float>(i % 3)));
  }
  check_cells("guarded fma", run_elementwise<std::uint64_t>(body, a, b), a, b, [&](std::size_t i) {
    const float x = f32_of(a[i]), y = f32_of(b[i]);
    return bits_of(x < y ? x * y + y : 3.0f);
  });
}

TEST_CASE("f16 and bf16: one rounding of the exact result") {
  const auto check = [](const auto& s, const std::string& type, const std::string& rest, bool sat, bool relu,
                        auto host) {
    const auto widened = [&](std::uint64_t bits) -> double {
      return type == "f16" ? float_of_half(static_cast<std::uint16_t>(bits))
                           : float_of_bfloat(static_cast<std::uint16_t>(bits));
    };
    const Cells got =
        run_floating(rest.substr(0, rest.find(' ')) + "." + type + rest.substr(rest.find(' ')), type, type, s.a, s.b);
    check_cells(type + " " + rest, got, s.a, s.b, [&](std::size_t i) -> std::uint64_t {
      double value = host(widened(s.a[i] & 0xFFFF), widened(s.b[i]), widened(s.a[i] >> 32));
      if (sat) value = std::isnan(value) || !(value > 0) ? 0 : std::fmin(value, 1);
      if (relu && value <= 0) value = 0;
      return type == "f16" ? narrowed<F16>(value) : narrowed<Bf16>(value);
    });
  };
  // A product is exact in double, and so is a sum, but for bf16 where double has enough bits to spare.
  const auto both = [&](const std::string& rest, auto host) {
    check(Samples<F16>(), "f16", rest, false, false, host);
    check(Samples<Bf16>(), "bf16", rest, false, false, host);
  };
  both("add $d, $a, $b;", [](double a, double b, double) { return a + b; });
  both("sub $d, $a, $b;", [](double a, double b, double) { return a - b; });
  both("mul $d, $a, $b;", [](double a, double b, double) { return a * b; });
  both("neg $d, $a;", [](double a, double, double) { return -a; });
  both("abs $d, $a;", [](double a, double, double) { return std::fabs(a); });
  // Of fma: where double's sum has an error, that matters only where the sum seems to lie halfway.
  const auto fma = [](double a, double b, double c) {
    const double product = a * b, sum = product + c;
    if (!std::isfinite(sum)) return sum;
    const bool product_larger = std::fabs(product) > std::fabs(c);
    const double rest = product_larger ? (product - sum) + c : (c - sum) + product;
    if (rest == 0) return sum;
    return std::fabs(std::remainder(sum, std::ldexp(1.0, std::ilogb(sum) - 40))) == 0
               ? std::nextafter(sum, rest > 0 ? HUGE_VAL : -HUGE_VAL)
               : sum;
  };
  both("fma.rn $d, $a, $b, $c;", fma);
  check(Samples<F16>(), "f16", "fma.rn.relu $d, $a, $b, $c;", false, true, fma);
  check(Samples<Bf16>(), "bf16", "fma.rn.relu $d, $a, $b, $c;", false, true, fma);
  check(Samples<F16>(), "f16", "fma.rn.sat $d, $a, $b, $c;", true, false, fma);
  check(Samples<F16>(), "f16", "add.sat $d, $a, $b;", true, false, [](double a, double b, double) { return a + b; });
}

TEST_CASE("an fma of halves rounds once: what lies far below halfway decides") {
  // 3 * 89 = 267 is halfway between 266 and 268, which is even; 2^-60 does not fit into a double beside it.
  const std::uint64_t three = 0x4040, tiny = 0x2180, minus_tiny = 0xA180;
  const Cells a = {three, three | tiny << 32, three | minus_tiny << 32}, b = {0x42B2, 0x42B2, 0x42B2};
  CHECK(run_floating("fma.rn.bf16 $d, $a, $b, $c;", "bf16", "bf16", a, b) == Cells{0x4386, 0x4386, 0x4385});
  // 1 + 2^-10 and 2^-11, once whole and once a little less.
  const std::uint64_t c = 0x3C01ull << 32;
  const Cells halves = {c | 0x1000, c | 0x9000, c | 0x1000, c | 0x9000}, factors = {0x3C00, 0x3C00, 0x3BFF, 0x3BFF};
  CHECK(run_floating("fma.rn.f16 $d, $a, $b, $c;", "f16", "f16", halves, factors) ==
        Cells{0x3C02, 0x3C00, 0x3C01, 0x3C01});
}

TEST_CASE("packed halves are two of them") {
  const Cells a = {0x3C00ull << 16 | 0x4000u, 0x7C01ull << 16 | 0x0001u};
  const Cells b = {0x3C00ull << 16 | 0x3800u, 0x3C00ull << 16 | 0x0001u};
  const Cells sums = run_floating("add.f16x2 $d, $a, $b;", "f16x2", "f16x2", a, b);
  CHECK(sums[0] == (0x4000ull << 16 | 0x4100u));
  CHECK(sums[1] == (0x7FFFull << 16 | 0x0002u));
  const Cells flushed = run_floating("add.ftz.f16x2 $d, $a, $b;", "f16x2", "f16x2", a, b);
  CHECK(flushed[1] == 0x7FFFull << 16);
  const Cells negative = run_floating("neg.bf16x2 $d, $a;", "bf16x2", "bf16x2", {0x3F80BF80u}, {0});
  CHECK(negative[0] == 0xBF803F80u);
}

TEST_CASE("what is not done on these devices says so") {
  for (const std::string instruction : {"fma.rn.oob.f16 %h1, %h2, %h3, %h4;", "add.rn.f32x2 %d1, %d2, %d3;",
                                        "min.f32 %f1, %f2, %f3, %f4;", "add.f32.f16 %f1, %h1, %f2;"}) {
    std::string text = elementwise(instruction, 4);
    text.replace(text.find("sm_90"), 5, "sm_100");  // but for the first one they are of Blackwell
    TestModule module(text, 100);
    const LaunchOutcome outcome = module.launch("k", {1}, {1}, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0});
    CAPTURE(instruction);
    CHECK(outcome.result != CUDA_SUCCESS);
    CHECK(outcome.report.find(instruction.substr(0, 3)) != std::string::npos);
  }
}

}  // namespace kiln::emulator::floating_test
