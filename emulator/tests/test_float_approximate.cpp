// Approximate functions: within the manual's bounds, with its special values.
#include "emulator/numbers/half.hpp"
#include "run_floating.hpp"

#include <cmath>
#include <random>

namespace kiln::emulator::float_approximate_test {
namespace {

constexpr std::uint64_t infinity = 0x7F800000u, minus_infinity = 0xFF800000u, nan = 0x7FFFFFFFu,
                        minus_zero = 0x80000000u;

Cells random_values(float from, float to) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<float> values(from, to);
  Cells cells;
  for (int i = 0; i < 2048; ++i) cells.push_back(bits_of(values(random)));
  return cells;
}

/// Of f32, within that many units in the last place.
template <class Function>
void check_ulp(const std::string& instruction, const Cells& a, double ulp, Function function) {
  const Cells got = run_floating(instruction, "f32", "f32", a, a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double exact = function(double{f32_of(a[i])});
    const double unit = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
    CAPTURE(instruction);
    CAPTURE(f32_of(a[i]));
    REQUIRE(std::fabs(f32_of(got[i]) - exact) <= ulp * unit);
  }
}
template <class Function>
void check_absolute(const std::string& instruction, const Cells& a, double bound, Function function) {
  const Cells got = run_floating(instruction, "f32", "f32", a, a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(instruction);
    CAPTURE(f32_of(a[i]));
    REQUIRE(std::fabs(f32_of(got[i]) - function(double{f32_of(a[i])})) <= bound);
  }
}

Cells f32_result(const std::string& instruction, const Cells& a) {
  return run_floating(instruction + ".f32 $d, $a;", "f32", "f32", a, a);
}

}  // namespace

TEST_CASE("approximate functions keep to the manual's bounds") {
  check_ulp("ex2.approx.f32 $d, $a;", random_values(-120, 120), 2, [](double a) { return std::exp2(a); });
  check_ulp("rcp.approx.f32 $d, $a;", random_values(0.001f, 1000), 1, [](double a) { return 1 / a; });
  check_ulp("sqrt.approx.f32 $d, $a;", random_values(0, 1e30f), 1, [](double a) { return std::sqrt(a); });
  check_ulp("rsqrt.approx.f32 $d, $a;", random_values(1e-30f, 1), 2, [](double a) { return 1 / std::sqrt(a); });
  check_absolute("sin.approx.f32 $d, $a;", random_values(-3.14f, 3.14f), std::exp2(-20.9),
                 [](double a) { return std::sin(a); });
  check_absolute("cos.approx.f32 $d, $a;", random_values(-3.14f, 3.14f), std::exp2(-20.9),
                 [](double a) { return std::cos(a); });
  check_absolute("lg2.approx.f32 $d, $a;", random_values(0.5f, 2), std::exp2(-22),
                 [](double a) { return std::log2(a); });
  check_absolute("tanh.approx.f32 $d, $a;", random_values(-8, 8), std::exp2(-11),
                 [](double a) { return std::tanh(a); });
  check_ulp("div.full.f32 $d, $a, 0f40400000;", random_values(-1000, 1000), 2, [](double a) { return a / 3; });
  check_ulp("div.approx.ftz.f32 $d, $a, 0f40400000;", random_values(1, 1000), 2, [](double a) { return a / 3; });
}

TEST_CASE("approximate functions of special values") {
  const Cells special = {minus_infinity, minus_zero, 0, infinity, 0x7F812345u};
  CHECK(f32_result("sin.approx", special) == Cells{nan, minus_zero, 0, nan, nan});
  CHECK(f32_result("cos.approx", special) == Cells{nan, 0x3F800000u, 0x3F800000u, nan, nan});
  CHECK(f32_result("ex2.approx", special) == Cells{0, 0x3F800000u, 0x3F800000u, infinity, nan});
  CHECK(f32_result("lg2.approx", special) == Cells{nan, minus_infinity, minus_infinity, infinity, nan});
  CHECK(f32_result("rcp.approx", special) == Cells{minus_zero, minus_infinity, infinity, 0, nan});
  CHECK(f32_result("sqrt.approx", special) == Cells{nan, minus_zero, 0, infinity, nan});
  CHECK(f32_result("rsqrt.approx", special) == Cells{nan, minus_infinity, infinity, 0, nan});
  CHECK(f32_result("tanh.approx", special) == Cells{0xBF800000u, minus_zero, 0, 0x3F800000u, nan});
  // Subnormal values, kept and flushed.
  const Cells tiny = {1, 0x80000001u};
  CHECK(f32_result("rcp.approx.ftz", tiny) == Cells{infinity, minus_infinity});
  CHECK(f32_result("rsqrt.approx.ftz", tiny) == Cells{infinity, minus_infinity});
  CHECK(f32_result("lg2.approx", tiny) == Cells{bits_of(-149.0f), nan});
  CHECK(f32_result("lg2.approx.ftz", tiny) == Cells{minus_infinity, minus_infinity});
  CHECK(f32_result("ex2.approx", {bits_of(-140.0f)}) == Cells{1u << 9});
  CHECK(f32_result("ex2.approx.ftz", {bits_of(-140.0f)}) == Cells{0});
  // 1/b of a huge b is lost in div.approx, and only there.
  const Cells huge = {bits_of(0x1p127f), bits_of(-0x1p127f)}, numerator = {bits_of(0x1p127f), infinity};
  CHECK(run_floating("div.approx.f32 $d, $a, $b;", "f32", "f32", numerator, huge) == Cells{0, nan});
  CHECK(run_floating("div.full.f32 $d, $a, $b;", "f32", "f32", numerator, huge) == Cells{0x3F800000u, minus_infinity});
}

TEST_CASE("rcp and rsqrt of f64 work on the upper half alone") {
  const Cells a = {bits_of(3.0), bits_of(3.0) | 0xFFFFFFFF, bits_of(-0.0), 1, bits_of(1e308), bits_of(HUGE_VAL)};
  const Cells got = run_floating("rcp.approx.ftz.f64 $d, $a;", "f64", "f64", a, a);
  CHECK(std::fabs(f64_of(got[0]) * 3 - 1) <= std::exp2(-20));
  CHECK((got[0] & 0xFFFFFFFF) == 0);
  CHECK(got[1] == got[0]);
  CHECK(f64_of(got[2]) == -HUGE_VAL);
  CHECK(f64_of(got[3]) == HUGE_VAL);
  CHECK(got[4] == 0);
  CHECK(got[5] == 0);
  const Cells root = run_floating("rsqrt.approx.f64 $d, $a;", "f64", "f64", {bits_of(4.0), bits_of(0.0)}, {0, 0});
  CHECK(root == Cells{bits_of(0.5), bits_of(HUGE_VAL)});
}

TEST_CASE("ex2 and tanh of halves") {
  const auto check = [](const std::string& type, double bound, auto widen, auto narrow) {
    Cells a;
    for (float value = -6; value < 6; value += 0.01f) a.push_back(narrow(value));
    const auto result = [&](const std::string& opcode) {
      return run_floating(opcode + "." + type + " $d, $a;", type, type, a, a);
    };
    const Cells powers = result(type == "bf16" ? "ex2.approx.ftz" : "ex2.approx"), tangents = result("tanh.approx");
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double value = widen(static_cast<std::uint16_t>(a[i]));
      REQUIRE(std::fabs(widen(static_cast<std::uint16_t>(powers[i])) / std::exp2(value) - 1) <= bound);
      REQUIRE(std::fabs(widen(static_cast<std::uint16_t>(tangents[i])) - std::tanh(value)) <= bound);
    }
  };
  check("f16", std::exp2(-9.9), float_of_half, half_of_float);
  check("bf16", std::exp2(-7), float_of_bfloat, bfloat_of_float);
  CHECK(run_floating("ex2.approx.f16x2 $d, $a;", "f16x2", "f16x2", {0x3C00BC00u}, {0}) == Cells{0x40003800u});
}

}  // namespace kiln::emulator::float_approximate_test
