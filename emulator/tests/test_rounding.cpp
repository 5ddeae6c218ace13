// Exact numbers against the processor's own arithmetic in each of its rounding modes.
#include "emulator/numbers/exact.hpp"
#include "float_samples.hpp"

#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>

namespace kiln::emulator::rounding_test {
namespace {

constexpr std::size_t samples = 200000;

class HostRounding {
 public:
  explicit HostRounding(Rounding rounding) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[static_cast<unsigned>(rounding)]);
  }
  ~HostRounding() { std::fesetround(FE_TONEAREST); }
};

constexpr Rounding all_roundings[] = {Rounding::nearest, Rounding::zero, Rounding::down, Rounding::up};

/// The host's result, with the format's own NaN.
template <class F>
typename F::Bits bits_of(typename F::Host value) {
  return std::isnan(value) ? F::nan : std::bit_cast<typename F::Bits>(value);
}
template <class F>
typename F::Host host_of(typename F::Bits bits) {
  return std::bit_cast<typename F::Host>(bits);
}

/// A value the compiler knows nothing of, so that nothing is computed before the rounding mode is set.
template <class T>
T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}
template <class T>
T host_sum(T a, T b) {
  return opaque<T>(opaque(a) + opaque(b));
}
template <class T>
T host_product(T a, T b) {
  return opaque<T>(opaque(a) * opaque(b));
}
template <class T>
T host_quotient(T a, T b) {
  return opaque<T>(opaque(a) / opaque(b));
}
template <class T>
T host_root(T a) {
  return opaque<T>(std::sqrt(opaque(a)));
}
template <class T>
T host_fma(T a, T b, T c) {
  return opaque<T>(std::fma(opaque(a), opaque(b), opaque(c)));
}

/// The number of samples where the two differ; the first is told.
template <class F, class Ours, class Host>
void compare(const char* name, Ours ours, Host host) {
  std::vector<typename F::Bits> a, b;
  float_pairs<F>(samples, a, b);
  for (const Rounding rounding : all_roundings) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      typename F::Bits expected;
      {
        const HostRounding mode(rounding);
        expected = bits_of<F>(host(host_of<F>(a[i]), host_of<F>(b[i]), host_of<F>(a[(i * 7 + 1) % a.size()])));
      }
      const auto got = rounded<F>(
          ours(exact_of<F>(a[i]), exact_of<F>(b[i]), exact_of<F>(a[(i * 7 + 1) % a.size()]), rounding), rounding);
      if (got != expected && different++ == 0) {
        CAPTURE(name);
        CAPTURE(static_cast<int>(rounding));
        CAPTURE(a[i]);
        CAPTURE(b[i]);
        CHECK(got == expected);
      }
    }
    CHECK(different == 0);
  }
}

template <class F>
void compare_all() {
  using T = typename F::Host;
  compare<F>(
      "sum", [](const Exact& a, const Exact& b, const Exact&, Rounding r) { return exact_sum(a, b, r); },
      [](T a, T b, T) { return host_sum<T>(a, b); });
  compare<F>(
      "product", [](const Exact& a, const Exact& b, const Exact&, Rounding) { return exact_product(a, b); },
      [](T a, T b, T) { return host_product<T>(a, b); });
  compare<F>(
      "quotient", [](const Exact& a, const Exact& b, const Exact&, Rounding) { return exact_quotient(a, b); },
      [](T a, T b, T) { return host_quotient<T>(a, b); });
  compare<F>(
      "root", [](const Exact& a, const Exact&, const Exact&, Rounding) { return exact_root(a); },
      [](T a, T, T) { return host_root<T>(a); });
  // With b a third that is near the product as often as not.
  compare<F>(
      "fma",
      [](const Exact& a, const Exact& b, const Exact& c, Rounding r) { return exact_sum(exact_product(a, b), c, r); },
      [](T a, T b, T c) { return host_fma<T>(a, b, c); });
  compare<F>(
      "fma with a sum that cancels",
      [](const Exact& a, const Exact& b, const Exact&, Rounding r) {
        Exact minus = exact_of<F>(rounded<F>(exact_product(a, b), Rounding::nearest));
        minus.negative = !minus.negative;
        return exact_sum(exact_product(a, b), minus, r);
      },
      [](T a, T b, T) {
        const int mode = std::fegetround();
        std::fesetround(FE_TONEAREST);
        const T minus = -host_product<T>(a, b);
        std::fesetround(mode);
        return host_fma<T>(a, b, minus);
      });
}

}  // namespace

TEST_CASE("exact arithmetic rounds as the processor does: f32") { compare_all<F32>(); }
TEST_CASE("exact arithmetic rounds as the processor does: f64") { compare_all<F64>(); }

TEST_CASE("f64 to f32 rounds as the processor does") {
  std::vector<std::uint64_t> a, b;
  float_pairs<F64>(samples, a, b);
  // Exponents of an f32, mostly, and halfway cases.
  for (std::size_t i = 3000; i < a.size(); ++i) {
    const auto exponent = static_cast<std::uint64_t>(i % 300) + 1023 - 160;
    a[i] = (a[i] & ~F64::infinity) | exponent << 52;
    if (i % 3 == 0) a[i] &= ~std::uint64_t{0xFFFFFFF};
  }
  for (const Rounding rounding : all_roundings)
    for (const std::uint64_t bits : a) {
      volatile double value = std::bit_cast<double>(bits);
      std::uint32_t expected;
      {
        const HostRounding mode(rounding);
        volatile float narrow = static_cast<float>(value);
        expected = bits_of<F32>(narrow);
      }
      if (rounded<F32>(exact_of<F64>(bits), rounding) != expected) {
        CAPTURE(bits);
        REQUIRE(rounded<F32>(exact_of<F64>(bits), rounding) == expected);
      }
    }
}

TEST_CASE("integers to floating types round as the processor does") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (random() % 64)) * (i % 2 == 0 ? 1 : -1);
    const Exact exact = Exact::of_integer(
        value < 0, value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
    for (const Rounding rounding : all_roundings) {
      volatile std::int64_t host = value;
      std::uint32_t single;
      std::uint64_t twice;
      {
        const HostRounding mode(rounding);
        volatile float f = static_cast<float>(host);
        volatile double d = static_cast<double>(host);
        single = bits_of<F32>(f);
        twice = bits_of<F64>(d);
      }
      if (rounded<F32>(exact, rounding) != single || rounded<F64>(exact, rounding) != twice) {
        CAPTURE(value);
        REQUIRE(rounded<F32>(exact, rounding) == single);
        REQUIRE(rounded<F64>(exact, rounding) == twice);
      }
    }
  }
}

}  // namespace kiln::emulator::rounding_test
