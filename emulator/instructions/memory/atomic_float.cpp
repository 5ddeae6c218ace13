// atom and red on floating-point values. All round to nearest even; a NaN result is the default NaN of the type.
#include "emulator/instructions/memory/atomic_update.hpp"
#include "emulator/numbers/half.hpp"

#include <bit>
#include <cmath>

namespace kiln::emulator {
namespace {

// Subnormal values are flushed in global memory, but not in shared memory: by the PTX manual, and on hardware.
struct AddF32 {
  static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t, bool in_shared) {
    if (in_shared) return sum(old, b);
    return flushed<F32>(sum(flushed<F32>(old), flushed<F32>(b)));
  }
  static std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    const float result = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    return std::isnan(result) ? F32::nan : std::bit_cast<std::uint32_t>(result);
  }
};

struct AddF64 {
  static std::uint64_t apply(std::uint64_t old, std::uint64_t b, std::uint64_t, bool) {
    const double result = std::bit_cast<double>(old) + std::bit_cast<double>(b);
    return std::isnan(result) ? F64::nan : std::bit_cast<std::uint64_t>(result);
  }
};

// An f32 has enough bits that rounding a sum twice is the same as rounding once.
struct AtomicHalf {
  static float wide(std::uint16_t bits) { return float_of_half(bits); }
  static std::uint16_t narrow(float value) { return half_of_float(value); }
};
struct Bfloat {
  static float wide(std::uint16_t bits) { return float_of_bfloat(bits); }
  static std::uint16_t narrow(float value) { return bfloat_of_float(value); }
};

struct AtomicSum {
  static float of(float a, float b) { return a + b; }
};
// A number wins over a NaN; -0 is less than +0.
struct Smaller {
  static float of(float a, float b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
  }
};
struct Larger {
  static float of(float a, float b) { return -Smaller::of(-a, -b); }
};

template <class Format, class Operation>
struct OfHalf {
  static std::uint16_t apply(std::uint16_t old, std::uint16_t b, std::uint16_t, bool) {
    return Format::narrow(Operation::of(Format::wide(old), Format::wide(b)));
  }
};
template <class Format, class Operation>
struct OfPair {
  static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t, bool) {
    const auto one = [=](unsigned shift) -> std::uint32_t {
      return OfHalf<Format, Operation>::apply(static_cast<std::uint16_t>(old >> shift),
                                              static_cast<std::uint16_t>(b >> shift), 0, false);
    };
    return one(16) << 16 | one(0);
  }
};

}  // namespace

std::span<const AtomicRow> atomic_float_rows() {
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  static constexpr AtomicRow rows[] = {
      atomic_row<u32, AddF32>("add", "f32"),
      atomic_row<u64, AddF64>("add", "f64"),
      atomic_row<u16, OfHalf<AtomicHalf, AtomicSum>>("add", "f16"),
      atomic_row<u16, OfHalf<AtomicHalf, Smaller>>("min", "f16"),
      atomic_row<u16, OfHalf<AtomicHalf, Larger>>("max", "f16"),
      atomic_row<u16, OfHalf<Bfloat, AtomicSum>>("add", "bf16"),
      atomic_row<u16, OfHalf<Bfloat, Smaller>>("min", "bf16"),
      atomic_row<u16, OfHalf<Bfloat, Larger>>("max", "bf16"),
      atomic_row<u32, OfPair<AtomicHalf, AtomicSum>>("add", "f16x2"),
      atomic_row<u32, OfPair<AtomicHalf, Smaller>>("min", "f16x2"),
      atomic_row<u32, OfPair<AtomicHalf, Larger>>("max", "f16x2"),
      atomic_row<u32, OfPair<Bfloat, AtomicSum>>("add", "bf16x2"),
      atomic_row<u32, OfPair<Bfloat, Smaller>>("min", "bf16x2"),
      atomic_row<u32, OfPair<Bfloat, Larger>>("max", "bf16x2"),
  };
  return rows;
}

}  // namespace kiln::emulator
