// cvt: against what the types' ranges and the host's conversions say.
#include "emulator/numbers/exact.hpp"
#include "emulator/numbers/half.hpp"
#include "float_samples.hpp"
#include "run_floating.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

namespace kiln::emulator::conversion_test {
namespace {

using Wide = __int128;

struct IntegerName {
  std::string name;
  unsigned bits;
  bool is_signed;
  Wide least() const { return is_signed ? -(Wide{1} << (bits - 1)) : 0; }
  Wide most() const { return (Wide{1} << (is_signed ? bits - 1 : bits)) - 1; }
  /// The bits, as a value of this type.
  Wide value(std::uint64_t cell) const {
    const Wide low = static_cast<Wide>(cell) & ((Wide{1} << bits) - 1);
    return is_signed && low > most() ? low - (Wide{1} << bits) : low;
  }
};
const IntegerName integers[] = {{"u8", 8, false},   {"s8", 8, true},   {"u16", 16, false}, {"s16", 16, true},
                                {"u32", 32, false}, {"s32", 32, true}, {"u64", 64, false}, {"s64", 64, true}};

/// What a register of `size` bits shows of the value.
std::uint64_t in_register(Wide value, unsigned size) {
  return static_cast<std::uint64_t>(value) & (~std::uint64_t{0} >> (64 - size));
}
unsigned register_bits(const std::string& type) { return type.ends_with("64") ? 64 : type.ends_with("32") ? 32 : 16; }

Cells integer_samples() {
  Cells all;
  for (unsigned bits = 0; bits < 64; ++bits)
    for (const std::uint64_t base :
         {std::uint64_t{1} << bits, ~std::uint64_t{0} << bits, std::uint64_t{0x5A5A5A5A5A5A5A5A} >> bits})
      for (const std::uint64_t off : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}}) all.push_back(base + off);
  return all;
}

const std::pair<std::string, int> integer_roundings[] = {
    {"rni", FE_TONEAREST}, {"rzi", FE_TOWARDZERO}, {"rmi", FE_DOWNWARD}, {"rpi", FE_UPWARD}};
const std::pair<std::string, int> float_roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
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

double widened(const std::string& type, std::uint64_t bits) {
  if (type == "f64") return f64_of(bits);
  if (type == "f32") return f32_of(bits);
  return type == "f16" ? float_of_half(static_cast<std::uint16_t>(bits))
                       : float_of_bfloat(static_cast<std::uint16_t>(bits));
}
template <class F>
Cells float_cells() {
  std::vector<typename F::Bits> a, b;
  float_pairs<F>(2000, a, b);
  Cells all(a.begin() + 600, a.end());
  for (const auto edge : float_edges<F>()) all.push_back(edge);
  // Where integers end, and halves between small ones.
  for (double value : {0.5, 1.5, 2.5, 127.5, 128.5, 255.5, 32767.5, 65535.5, 2147483647.5, 4294967295.5,
                       9223372036854775808.0, 18446744073709551616.0, 9223372036854774784.0, 1e10, 1e19, 3e19})
    for (const double each : {value, -value, std::nextafter(value, 0.0), value + 1}) all.push_back(narrowed<F>(each));
  return all;
}

}  // namespace

TEST_CASE("cvt between integers of all sizes, with and without .sat") {
  const Cells a = integer_samples();
  for (const IntegerName& from : integers)
    for (const IntegerName& to : integers)
      for (const bool sat : {false, true}) {
        if (sat && from.least() >= to.least() && from.most() <= to.most()) continue;  // ptxas refuses it
        const std::string instruction = std::string(sat ? "cvt.sat." : "cvt.") + to.name + "." + from.name + " $d, $a;";
        check_cells(instruction, run_floating(instruction, to.name, from.name, a, a), a, a, [&](std::size_t i) {
          const Wide value = from.value(a[i]);
          const Wide kept =
              sat ? std::clamp(value, to.least(), to.most()) : to.value(static_cast<std::uint64_t>(value));
          return in_register(kept, register_bits(to.name));
        });
      }
}

TEST_CASE("cvt from and to registers wider than the type") {
  CHECK(run_floating("cvt.u32.u8 $d, $a;", "u32", "u32", {0xFFFFFF80u}, {0}) == Cells{0x80});
  CHECK(run_floating("cvt.s32.s8 $d, $a;", "s32", "s64", {0xFFFFFF80u}, {0}) == Cells{0xFFFFFF80u});
  CHECK(run_floating("cvt.s8.s32 $d, $a;", "s64", "s32", {0x180}, {0}) == Cells{0xFFFFFFFFFFFFFF80u});
  CHECK(run_floating("cvt.u8.s32 $d, $a;", "s64", "s32", {0x180}, {0}) == Cells{0x80});
  CHECK(run_floating("cvt.rn.f32.s8 $d, $a;", "f32", "s64", {0x1FF}, {0}) == Cells{bits_of(-1.0f)});
  CHECK(run_floating("cvt.rzi.s8.f32 $d, $a;", "s64", "f32", {bits_of(-3.5f)}, {0}) == Cells{~std::uint64_t{2}});
  CHECK(run_floating("cvt.rn.f16.f32 $d, $a;", "u32", "f32", {bits_of(-2.0f)}, {0}) == Cells{0xC000u});
  CHECK(run_floating("cvt.f32.f16 $d, $a;", "f32", "u32", {0xABCDC000u}, {0}) == Cells{bits_of(-2.0f)});
  CHECK(run_floating("cvt.rn.f16.s32 $d, $a;", "u64", "s32", {7}, {0}) == Cells{0x4700u});
}

namespace {

template <class F>
void check_to_integers(const std::string& type) {
  const Cells a = float_cells<F>();
  for (const IntegerName& to : integers)
    for (const auto& [rounding, mode] : integer_roundings) {
      if (type == "bf16" && to.bits == 8) continue;  // PTX has no such cvt
      const std::string instruction = "cvt." + rounding + "." + to.name + "." + type + " $d, $a;";
      check_cells(
          instruction, run_floating(instruction, to.name, type, a, a), a, a, [&, host_mode = mode](std::size_t i) {
            const double value = widened(type, a[i]);
            if (std::isnan(value))
              return type == "f64" || to.bits == 64
                         ? in_register(to.value(std::uint64_t{1} << (to.bits - 1)), register_bits(to.name))
                         : 0u;
            const HostRounding host(host_mode);
            const double whole = std::nearbyint(opaque(value));
            const Wide exact = whole >= 0x1p100    ? to.most()
                               : whole <= -0x1p100 ? to.least()
                                                   : std::clamp(static_cast<Wide>(whole), to.least(), to.most());
            return in_register(exact, register_bits(to.name));
          });
    }
}

template <class F>
void check_from_integers(const std::string& type) {
  const Cells a = integer_samples();
  for (const IntegerName& from : integers)
    for (const auto& [rounding, mode] : float_roundings) {
      const std::string instruction = "cvt." + rounding + "." + type + "." + from.name + " $d, $a;";
      check_cells(instruction, run_floating(instruction, type, from.name, a, a), a, a,
                  [&, host_mode = mode](std::size_t i) {
                    const Wide value = from.value(a[i]);
                    const HostRounding host(host_mode);
                    if (from.is_signed) {
                      const auto integer = opaque(static_cast<std::int64_t>(value));
                      return type == "f32" ? bits_of(opaque(static_cast<float>(integer)))
                                           : bits_of(opaque(static_cast<double>(integer)));
                    }
                    const auto integer = opaque(static_cast<std::uint64_t>(value));
                    // Not the host's own conversion of unsigned 64 bits, which compilers make of two roundings.
                    const long double wide = static_cast<long double>(integer);
                    return type == "f32" ? bits_of(opaque(static_cast<float>(wide)))
                                         : bits_of(opaque(static_cast<double>(wide)));
                  });
    }
}

}  // namespace

TEST_CASE("cvt of floats to integers: every rounding, saturated, NaNs as the manual has them") {
  check_to_integers<F32>("f32");
  check_to_integers<F64>("f64");
  check_to_integers<F16>("f16");
  check_to_integers<Bf16>("bf16");
  CHECK(run_floating("cvt.rpi.s32.f32 $d, $a;", "s32", "f32", {1}, {0}) == Cells{1});
  CHECK(run_floating("cvt.rpi.ftz.s32.f32 $d, $a;", "s32", "f32", {1}, {0}) == Cells{0});
}

TEST_CASE("cvt of integers to f32 and f64: every rounding") {
  check_from_integers<F32>("f32");
  check_from_integers<F64>("f64");
  CHECK(run_floating("cvt.rn.f16.u32 $d, $a;", "f16", "u32", {65519, 65520, 2049, 2051}, {0, 0, 0, 0}) ==
        Cells{0x7BFF, 0x7C00, 0x6800, 0x6802});
  CHECK(run_floating("cvt.rz.f16.u32 $d, $a;", "f16", "u32", {65520, 2051}, {0, 0}) == Cells{0x7BFF, 0x6801});
  CHECK(run_floating("cvt.rn.bf16.s32 $d, $a;", "bf16", "s32", {0xFFFFFFFFu, 257, 259}, {0, 0, 0}) ==
        Cells{0xBF80, 0x4380, 0x4382});
}

TEST_CASE("cvt between floating types") {
  const Cells doubles = float_cells<F64>(), singles = float_cells<F32>();
  for (const auto& [rounding, mode] : float_roundings) {
    const std::string narrow = "cvt." + rounding + ".f32.f64 $d, $a;";
    check_cells(narrow, run_floating(narrow, "f32", "f64", doubles, doubles), doubles, doubles,
                [&, host_mode = mode](std::size_t i) -> std::uint64_t {
                  // A NaN keeps its sign and the upper part of its payload, on an H200 as here.
                  const HostRounding host(host_mode);
                  return bits_of(opaque(static_cast<float>(opaque(f64_of(doubles[i])))));
                });
  }
  check_cells("cvt.f64.f32", run_floating("cvt.f64.f32 $d, $a;", "f64", "f32", singles, singles), singles, singles,
              [&](std::size_t i) { return bits_of(opaque(static_cast<double>(opaque(f32_of(singles[i]))))); });
  for (const auto& [rounding, mode] : integer_roundings) {
    const std::string whole = "cvt." + rounding + ".f32.f32 $d, $a;";
    check_cells(whole, run_floating(whole, "f32", "f32", singles, singles), singles, singles,
                [&, host_mode = mode](std::size_t i) -> std::uint64_t {
                  const HostRounding host(host_mode);
                  const float value = f32_of(singles[i]);
                  return std::isnan(value) ? F32::nan : bits_of(std::nearbyint(opaque(value)));
                });
  }
  // A copy keeps even a NaN; .sat and .ftz.
  CHECK(run_floating("cvt.f32.f32 $d, $a;", "f32", "f32", {0x7F812345u}, {0}) == Cells{0x7F812345u});
  CHECK(run_floating("cvt.f32.bf16 $d, $a;", "f32", "bf16", {0x7F81, 0x8001}, {0, 0}) ==
        Cells{0x7F810000u, 0x80010000u});
  CHECK(run_floating("cvt.f32.f16 $d, $a;", "f32", "f16", {0x7C01, 0x0001, 0xFC00}, {0, 0, 0}) ==
        Cells{0x7FFFFFFFu, bits_of(0x1p-24f), 0xFF800000u});
  CHECK(run_floating("cvt.sat.f32.f32 $d, $a;", "f32", "f32",
                     {bits_of(-1.0f), bits_of(0.25f), bits_of(7.0f), 0x7FFFFFFFu, 0x80000000u},
                     Cells(5)) == Cells{0, bits_of(0.25f), bits_of(1.0f), 0, 0});
  CHECK(run_floating("cvt.rn.ftz.f32.f64 $d, $a;", "f32", "f64", {bits_of(-0x1p-140)}, {0}) == Cells{0x80000000u});
  CHECK(run_floating("cvt.ftz.f64.f32 $d, $a;", "f64", "f32", {1}, {0}) == Cells{0});
  CHECK(run_floating("cvt.rpi.f64.f64 $d, $a;", "f64", "f64", {bits_of(-0.5), bits_of(1e300)}, {0, 0}) ==
        Cells{bits_of(-0.0), bits_of(1e300)});
  CHECK(run_floating("cvt.rni.f16.f16 $d, $a;", "f16", "f16", {0x4100, 0x3E00}, {0, 0}) == Cells{0x4000, 0x4000});
}

TEST_CASE("cvt to halves: one, and two side by side") {
  const auto f = [](float value) { return bits_of(value); };
  CHECK(run_floating("cvt.rn.f16x2.f32 $d, $a, $b;", "f16x2", "f32", {f(1)}, {f(-2)}) == Cells{0x3C00C000u});
  CHECK(run_floating("cvt.rz.bf16x2.f32 $d, $a, $b;", "bf16x2", "f32", {f(1.999999f)}, {f(-2)}) == Cells{0x3FFFC000u});
  CHECK(run_floating("cvt.rn.relu.f16x2.f32 $d, $a, $b;", "f16x2", "f32", {f(3)}, {f(-2)}) == Cells{0x42000000u});
  CHECK(run_floating("cvt.rn.relu.bf16.f32 $d, $a;", "bf16", "f32", {f(-1), 0x7FC00001u, f(1)}, {0, 0, 0}) ==
        Cells{0, 0x7FFF, 0x3F80});
  CHECK(run_floating("cvt.rn.f16.f32 $d, $a;", "f16", "f32", {f(1e6f)}, {0}) == Cells{0x7C00});
  CHECK(run_floating("cvt.rn.satfinite.f16.f32 $d, $a;", "f16", "f32", {f(1e6f), 0xFF800000u, 0x7FC00000u},
                     {0, 0, 0}) == Cells{0x7BFF, 0xFBFF, 0x7FFF});
  // Once from f64, not by way of f32: just above halfway between 1 and 1 + 2^-10.
  CHECK(run_floating("cvt.rn.f16.f64 $d, $a;", "f16", "f64", {bits_of(1 + 0x1p-11 + 0x1p-40)}, {0}) == Cells{0x3C01});
}

TEST_CASE("cvt to and from tf32, e4m3 and e5m2") {
  const auto f = [](float value) { return bits_of(value); };
  const Cells a = {f(1 + 0x1p-11f), f(1 + 0x1p-11f + 0x1p-20f), f(-1), 0x7F800000u, 0x7FFFFFFFu, 0x7F800001u};
  CHECK(run_floating("cvt.rna.tf32.f32 $d, $a;", "u32", "f32", a, Cells(6)) ==
        Cells{f(1 + 0x1p-10f), f(1 + 0x1p-10f), f(-1), 0x7F800000u, 0x7FFFE000u, 0x7F800000u});
  CHECK(run_floating("cvt.rn.tf32.f32 $d, $a;", "u32", "f32", {a[0], a[1]}, Cells(2)) == Cells{f(1), f(1 + 0x1p-10f)});
  CHECK(run_floating("cvt.rz.relu.tf32.f32 $d, $a;", "u32", "f32", {a[1], a[2]}, Cells(2)) == Cells{f(1), 0});

  CHECK(run_floating("cvt.rn.satfinite.e4m3x2.f32 $d, $a, $b;", "u16", "f32", {f(1), f(1000), f(-0x1p-9f)},
                     {f(-448), 0x7FC00000u, f(17)}) == Cells{0x38FE, 0x7E7F, 0x8158});
  CHECK(run_floating("cvt.rn.satfinite.relu.e5m2x2.f32 $d, $a, $b;", "u16", "f32", {f(1), f(1e9f)},
                     {f(-448), 0x7FC00000u}) == Cells{0x3C00, 0x7B7F});
  CHECK(run_floating("cvt.rn.satfinite.e4m3x2.f16x2 $d, $a;", "u16", "f16x2", {0x3C00FC00u}, {0}) == Cells{0x38FE});
  CHECK(run_floating("cvt.rn.satfinite.e5m2x2.f16x2 $d, $a;", "u16", "f16x2", {0x3C807C00u}, {0}) == Cells{0x3C7B});
  CHECK(run_floating("cvt.rn.f16x2.e4m3x2 $d, $a;", "f16x2", "u16", {0x38FE, 0x7F01}, {0, 0}) ==
        Cells{0x3C00DF00u, 0x7FFF1800u});
  CHECK(run_floating("cvt.rn.relu.f16x2.e5m2x2 $d, $a;", "f16x2", "u16", {0x3CBC, 0x7C01}, {0, 0}) ==
        Cells{0x3C000000u, 0x7C000100u});
}

TEST_CASE("cvt.pack saturates two integers and puts them below the rest") {
  const Cells a = {0xFFFFFFFBu, 70000, 3}, b = {100, 0x80000000u, 9};
  CHECK(run_floating("cvt.pack.sat.u16.s32 $d, $a, $b;", "u32", "s32", a, b) ==
        Cells{0x00000064u, 0xFFFF0000u, 0x00030009u});
  CHECK(run_floating("cvt.pack.sat.s16.s32 $d, $a, $b;", "u32", "s32", a, b) ==
        Cells{0xFFFB0064u, 0x7FFF8000u, 0x00030009u});
  CHECK(run_floating("cvt.pack.sat.s8.s32.b32 $d, $a, $b, 0x12345678;", "u32", "s32", a, b) ==
        Cells{0x5678FB64u, 0x56787F80u, 0x56780309u});
  CHECK(run_floating("cvt.pack.sat.u4.s32.b32 $d, $a, $b, 0x12345678;", "u32", "s32", a, b) ==
        Cells{0x3456780Fu, 0x345678F0u, 0x34567839u});
}

}  // namespace kiln::emulator::conversion_test
