// Comparison, min and max, signs and classes of floating values.
#include "emulator/numbers/half.hpp"
#include "float_samples.hpp"
#include "run_floating.hpp"

#include <cmath>
#include <functional>

namespace kiln::emulator::float_compare_test {
namespace {

template <class F>
void edge_pairs(Cells& a, Cells& b) {
  for (const auto left : float_edges<F>())
    for (const auto right : float_edges<F>()) {
      a.push_back(left);
      b.push_back(right);
    }
}

struct Operator {
  std::string name;
  std::function<bool(double, double)> holds;
};
bool is_unordered(double a, double b) { return std::isnan(a) || std::isnan(b); }
std::vector<Operator> all_operators() {
  std::vector<Operator> all = {
      {"eq", [](double a, double b) { return a == b; }}, {"ne", [](double a, double b) { return a < b || a > b; }},
      {"lt", [](double a, double b) { return a < b; }},  {"le", [](double a, double b) { return a <= b; }},
      {"gt", [](double a, double b) { return a > b; }},  {"ge", [](double a, double b) { return a >= b; }},
  };
  for (std::size_t i = 0; i < 6; ++i)
    all.push_back(
        {all[i].name + "u", [base = all[i].holds](double a, double b) { return is_unordered(a, b) || base(a, b); }});
  all.push_back({"num", [](double a, double b) { return !is_unordered(a, b); }});
  all.push_back({"nan", is_unordered});
  return all;
}

double widened(const std::string& type, std::uint64_t bits) {
  if (type == "f64") return f64_of(bits);
  if (type == "f32") return f32_of(bits);
  return type == "f16" ? float_of_half(static_cast<std::uint16_t>(bits))
                       : float_of_bfloat(static_cast<std::uint16_t>(bits));
}

template <class F>
void check_operators(const std::string& type) {
  Cells a, b;
  edge_pairs<F>(a, b);
  for (const Operator& each : all_operators()) {
    // Only f32 and f64 have a second result, the opposite of the first.
    const bool has_second = type == "f32" || type == "f64";
    const std::string instruction = "setp." + each.name + "." + type + (has_second ? " $p|$q" : " $p") + ", $a, $b;\n" +
                                    (has_second ? "" : "not.pred $q, $p;\n") +
                                    "selp.b32 %r1, 1, 0, $p;\nselp.b32 %r2, 2, 0, $q;\nor.b32 $d, %r1, %r2;";
    check_cells(instruction, run_floating(instruction, "u32", type, a, b), a, b,
                [&](std::size_t i) { return each.holds(widened(type, a[i]), widened(type, b[i])) ? 1u : 2u; });
    const std::string set = "set." + each.name + ".u32." + type + " $d, $a, $b;";
    check_cells(set, run_floating(set, "u32", type, a, b), a, b,
                [&](std::size_t i) { return each.holds(widened(type, a[i]), widened(type, b[i])) ? 0xFFFFFFFFu : 0u; });
  }
}

}  // namespace

TEST_CASE("setp and set: every operator of every type") {
  check_operators<F32>("f32");
  check_operators<F64>("f64");
  check_operators<F16>("f16");
  check_operators<Bf16>("bf16");
}

TEST_CASE("setp with another predicate, with .ftz, of packed halves") {
  const Cells a = {bits_of(1.0f), bits_of(2.0f), bits_of(3.0f)}, b = {bits_of(2.0f), bits_of(2.0f), bits_of(2.0f)};
  const std::string pack = "selp.b32 %r1, 1, 0, $p;\nselp.b32 %r2, 2, 0, $q;\nor.b32 $d, %r1, %r2;";
  const std::string other = "setp.ge.f32 %p5, $a, 0f40000000;\n";  // false, true, true
  CHECK(run_floating(other + "setp.lt.and.f32 $p|$q, $a, $b, %p5;" + pack, "u32", "f32", a, b) == Cells{0, 2, 2});
  CHECK(run_floating(other + "setp.lt.or.f32 $p|$q, $a, $b, !%p5;" + pack, "u32", "f32", a, b) == Cells{3, 2, 2});
  CHECK(run_floating(other + "setp.lt.xor.f32 $p|$q, $a, $b, %p5;" + pack, "u32", "f32", a, b) == Cells{1, 1, 1});

  const Cells tiny = {1, 0x80000001u}, zero = {0, 0};
  CHECK(run_floating("setp.ne.f32 $p|$q, $a, $b;" + pack, "u32", "f32", tiny, zero) == Cells{1, 1});
  CHECK(run_floating("setp.ne.ftz.f32 $p|$q, $a, $b;" + pack, "u32", "f32", tiny, zero) == Cells{2, 2});

  // The low half's result is the first predicate, the high half's the second.
  const Cells left = {0x40003C00u, 0x3C004000u, 0x3C007FFFu}, right = {0x40004000u, 0x40004000u, 0x40004000u};
  CHECK(run_floating("setp.lt.f16x2 $p|$q, $a, $b;" + pack, "u32", "f16x2", left, right) == Cells{1, 2, 2});
  CHECK(run_floating("setp.ltu.bf16x2 $p|$q, $a, $b;" + pack, "u32", "bf16x2", left, right) == Cells{1, 2, 3});
}

TEST_CASE("set to each result type") {
  const Cells a = {bits_of(1.0f), bits_of(3.0f)}, b = {bits_of(2.0f), bits_of(2.0f)};
  CHECK(run_floating("set.lt.f32.f32 $d, $a, $b;", "f32", "f32", a, b) == Cells{0x3F800000u, 0});
  CHECK(run_floating("set.lt.s32.f32 $d, $a, $b;", "s32", "f32", a, b) == Cells{0xFFFFFFFFu, 0});
  CHECK(run_floating("set.lt.f16.f32 $d, $a, $b;", "f16", "f32", a, b) == Cells{0x3C00, 0});
  CHECK(run_floating("set.lt.bf16.f32 $d, $a, $b;", "bf16", "f32", a, b) == Cells{0x3F80, 0});
  CHECK(run_floating("set.lt.u16.f16 $d, $a, $b;", "u16", "f16", {0x3C00, 0x4000}, {0x4000, 0x3C00}) ==
        Cells{0xFFFF, 0});
  CHECK(run_floating("set.lt.f32.s32 $d, $a, $b;", "f32", "s32", {0xFFFFFFFFu, 1}, {0, 0}) == Cells{0x3F800000u, 0});
  CHECK(run_floating("set.lo.f32.u32 $d, $a, $b;", "f32", "u32", {0xFFFFFFFFu, 1}, {2, 2}) == Cells{0, 0x3F800000u});
  CHECK(run_floating("set.eq.f16x2.f16x2 $d, $a, $b;", "f16x2", "f16x2", {0x3C004000u}, {0x3C003C00u}) ==
        Cells{0x3C000000u});
  CHECK(run_floating("set.ne.u32.bf16x2 $d, $a, $b;", "u32", "bf16x2", {0x3C004000u}, {0x3C003C00u}) ==
        Cells{0x0000FFFFu});
}

namespace {

template <class F>
void check_minmax(const std::string& type) {
  Cells a, b;
  edge_pairs<F>(a, b);
  for (const bool maximum : {false, true})
    for (const bool nan : {false, true})
      for (const bool xorsign : {false, true}) {
        if (type == "f64" && (nan || xorsign)) continue;
        const std::string instruction = std::string(maximum ? "max" : "min") + (nan ? ".NaN" : "") +
                                        (xorsign ? ".xorsign.abs" : "") + "." + type + " $d, $a, $b;";
        check_cells(instruction, run_floating(instruction, type, type, a, b), a, b, [&](std::size_t i) {
          std::uint64_t x = a[i], y = b[i], sign = 0;
          if (xorsign) {
            sign = (x ^ y) & F::sign;
            x &= F::sign - 1;
            y &= F::sign - 1;
          }
          const double left = widened(type, x), right = widened(type, y);
          if (std::isnan(left) && std::isnan(right)) return type == "f64" ? y | F64::quiet : std::uint64_t{F::nan};
          if (nan && (std::isnan(left) || std::isnan(right))) return std::uint64_t{F::nan};
          if (std::isnan(left)) return y | sign;
          if (std::isnan(right)) return x | sign;
          const bool less = left < right || (left == right && std::signbit(left) && !std::signbit(right));
          return (less != maximum ? x : y) | sign;
        });
      }
}

}  // namespace

TEST_CASE("min and max: NaNs, zeros of both signs, .NaN and .xorsign.abs") {
  check_minmax<F32>("f32");
  check_minmax<F64>("f64");
  check_minmax<F16>("f16");
  check_minmax<Bf16>("bf16");
  CHECK(run_floating("max.f16x2 $d, $a, $b;", "f16x2", "f16x2", {0x3C007FFFu}, {0x40003800u}) == Cells{0x40003800u});
  CHECK(run_floating("min.ftz.f32 $d, $a, $b;", "f32", "f32", {1, 0x80000001u}, {2, 2}) == Cells{0, 0x80000000u});
}

TEST_CASE("neg, abs and copysign of f32 and f64") {
  Cells a, b;
  edge_pairs<F32>(a, b);
  const auto settled = [](std::uint64_t bits) {
    return is_nan<F32>(static_cast<std::uint32_t>(bits)) ? F32::nan : bits;
  };
  check_cells("neg", run_floating("neg.f32 $d, $a;", "f32", "f32", a, b), a, b,
              [&](std::size_t i) { return settled(a[i] ^ 0x80000000u); });
  check_cells("abs", run_floating("abs.f32 $d, $a;", "f32", "f32", a, b), a, b,
              [&](std::size_t i) { return settled(a[i] & 0x7FFFFFFFu); });
  check_cells("copysign", run_floating("copysign.f32 $d, $a, $b;", "f32", "f32", a, b), a, b,
              [&](std::size_t i) { return (a[i] & 0x80000000u) | (b[i] & 0x7FFFFFFFu); });
  CHECK(run_floating("neg.f64 $d, $a;", "f64", "f64", {0, bits_of(1.5)}, {0, 0}) == Cells{F64::sign, bits_of(-1.5)});
  CHECK(run_floating("abs.f64 $d, $a;", "f64", "f64", {bits_of(-1.5)}, {0}) == Cells{bits_of(1.5)});
  CHECK(run_floating("copysign.f64 $d, $a, $b;", "f64", "f64", {bits_of(-0.0)}, {bits_of(1.5)}) ==
        Cells{bits_of(-1.5)});
}

TEST_CASE("testp tells the classes of values; zero is a normal number") {
  const Cells values = {0,           0x80000000u, 1,           0x807FFFFFu, 0x00800000u, bits_of(-1.0f),
                        0x7F800000u, 0xFF800000u, 0x7F800001u, 0xFFFFFFFFu};
  const Cells none(values.size());
  const auto test = [&](const std::string& property) {
    return run_floating("testp." + property + ".f32 $p, $a;\nselp.b32 $d, 1, 0, $p;", "u32", "f32", values, none);
  };
  CHECK(test("finite") == Cells{1, 1, 1, 1, 1, 1, 0, 0, 0, 0});
  CHECK(test("infinite") == Cells{0, 0, 0, 0, 0, 0, 1, 1, 0, 0});
  CHECK(test("number") == Cells{1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
  CHECK(test("notanumber") == Cells{0, 0, 0, 0, 0, 0, 0, 0, 1, 1});
  CHECK(test("normal") == Cells{1, 1, 0, 0, 1, 1, 0, 0, 0, 0});
  CHECK(test("subnormal") == Cells{0, 0, 1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(run_floating("testp.subnormal.f64 $p, $a;\nselp.b32 $d, 1, 0, $p;", "u32", "f64", {1, bits_of(1.0)}, {0, 0}) ==
        Cells{1, 0});
}

}  // namespace kiln::emulator::float_compare_test
