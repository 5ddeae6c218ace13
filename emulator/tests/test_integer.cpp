// Integer arithmetic.
#include "instruction_runs.hpp"

#include <algorithm>

namespace integer_test {

using namespace kiln::emulator;

namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

template <class T>
using Widest = std::conditional_t<std::is_signed_v<T>, Wide, UnsignedWide>;

/// Wraps; through Widest, nothing overflows before.
template <class T>
T low_part(Wide value) {
  return static_cast<T>(value);
}

template <class T>
void check_type(const std::string& type) {
  CAPTURE(type);
  check<T>("add." + type + " D, A, B;", [](T a, T b) { return low_part<T>(Wide{a} + b); });
  check<T>("sub." + type + " D, A, B;", [](T a, T b) { return low_part<T>(Wide{a} - b); });
  check<T>("mul.lo." + type + " D, A, B;",
           [](T a, T b) { return static_cast<T>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b)); });
  check<T>("mul.hi." + type + " D, A, B;", [](T a, T b) {
    return static_cast<T>((static_cast<Widest<T>>(a) * static_cast<Widest<T>>(b)) >> (8 * sizeof(T)));
  });
  check<T>("mad.lo." + type + " D, A, B, A;", [](T a, T b) {
    return static_cast<T>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b) + static_cast<UnsignedWide>(a));
  });
  check<T>("mad.hi." + type + " D, A, B, B;", [](T a, T b) {
    const auto high = (static_cast<Widest<T>>(a) * static_cast<Widest<T>>(b)) >> (8 * sizeof(T));
    return static_cast<T>(static_cast<UnsignedWide>(high) + static_cast<UnsignedWide>(b));
  });
  check<T>("min." + type + " D, A, B;", [](T a, T b) { return a < b ? a : b; });
  check<T>("max." + type + " D, A, B;", [](T a, T b) { return a > b ? a : b; });
  check<T>("sad." + type + " D, A, B, A;",
           [](T a, T b) { return low_part<T>(Wide{a} + (a < b ? Wide{b} - a : Wide{a} - b)); });
  check<T>("div." + type + " D, A, B;", [](T a, T b) { return b == 0 ? low_part<T>(-1) : low_part<T>(Wide{a} / b); });
  check<T>("rem." + type + " D, A, B;", [](T a, T b) { return b == 0 ? low_part<T>(-1) : low_part<T>(Wide{a} % b); });
  if constexpr (std::is_signed_v<T>) {
    check<T>("neg." + type + " D, A;", [](T a, T) { return low_part<T>(-Wide{a}); });
    check<T>("abs." + type + " D, A;", [](T a, T) { return low_part<T>(a < 0 ? -Wide{a} : Wide{a}); });
  }
}

std::int32_t limited(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}
std::int32_t low24(std::uint32_t value) { return static_cast<std::int32_t>(value << 8) >> 8; }

}  // namespace

TEST_CASE("integer arithmetic of every type") {
  check_type<std::uint16_t>("u16");
  check_type<std::int16_t>("s16");
  check_type<std::uint32_t>("u32");
  check_type<std::int32_t>("s32");
  check_type<std::uint64_t>("u64");
  check_type<std::int64_t>("s64");
}

TEST_CASE("saturating integer arithmetic") {
  using I = std::int32_t;
  check<I>("add.sat.s32 D, A, B;", [](I a, I b) { return limited(std::int64_t{a} + b); });
  check<I>("sub.sat.s32 D, A, B;", [](I a, I b) { return limited(std::int64_t{a} - b); });
  check<I>("mad.hi.sat.s32 D, A, B, A;", [](I a, I b) { return limited((std::int64_t{a} * b >> 32) + a); });
  check<I>("min.relu.s32 D, A, B;", [](I a, I b) { return std::max(0, std::min(a, b)); });
  check<I>("max.relu.s32 D, A, B;", [](I a, I b) { return std::max(0, std::max(a, b)); });
}

TEST_CASE("wide products") {
  const auto cases = usual_words();
  const std::string out = " mov.b64 {%r5, %r6}, %d5;";
  check_words("mul.wide.u32 %d5, %r1, %r3;" + out, cases, [](const Words& w) { return std::uint64_t{w[0]} * w[2]; });
  check_words("mul.wide.s32 %d5, %r1, %r3;" + out, cases, [](const Words& w) {
    return std::int64_t{static_cast<std::int32_t>(w[0])} * static_cast<std::int32_t>(w[2]);
  });
  check_words("mad.wide.u32 %d5, %r1, %r3, %d1;" + out, cases,
              [](const Words& w) { return std::uint64_t{w[0]} * w[2] + (std::uint64_t{w[1]} << 32 | w[0]); });
  check_words("mad.wide.s32 %d5, %r1, %r3, %d1;" + out, cases, [](const Words& w) {
    const auto product = std::int64_t{static_cast<std::int32_t>(w[0])} * static_cast<std::int32_t>(w[2]);
    return static_cast<std::uint64_t>(product) + (std::uint64_t{w[1]} << 32 | w[0]);
  });
  check_words("mov.b32 {%h1, %h2}, %r1; mul.wide.s16 %r5, %h1, %h2; mul.wide.u16 %r6, %h1, %h2;", cases,
              [](const Words& w) {
                const auto low = static_cast<std::int16_t>(w[0]), high = static_cast<std::int16_t>(w[0] >> 16);
                return std::uint64_t{(w[0] & 0xFFFFu) * (w[0] >> 16)} << 32 | static_cast<std::uint32_t>(low * high);
              });
}

TEST_CASE("products of 24 bits") {
  using U = std::uint32_t;
  check<U>("mul24.lo.u32 D, A, B;", [](U a, U b) { return (a & 0xFFFFFFu) * (b & 0xFFFFFFu); });
  check<U>("mul24.hi.u32 D, A, B;", [](U a, U b) { return std::uint64_t{a & 0xFFFFFFu} * (b & 0xFFFFFFu) >> 16; });
  check<U>("mul24.lo.s32 D, A, B;", [](U a, U b) { return std::int64_t{low24(a)} * low24(b); });
  check<U>("mul24.hi.s32 D, A, B;", [](U a, U b) { return std::int64_t{low24(a)} * low24(b) >> 16; });
  check<U>("mad24.lo.s32 D, A, B, A;", [](U a, U b) { return std::int64_t{low24(a)} * low24(b) + a; });
  check<U>("mad24.hi.sat.s32 D, A, B, A;",
           [](U a, U b) { return limited((std::int64_t{low24(a)} * low24(b) >> 16) + static_cast<std::int32_t>(a)); });
}

TEST_CASE("pairs of 16-bit integers") {
  using U = std::uint32_t;
  const auto halves = [](auto op) {
    return [op](U a, U b) {
      return (static_cast<U>(op(static_cast<int>(a & 0xFFFFu), static_cast<int>(b & 0xFFFFu))) & 0xFFFFu) |
             static_cast<U>(op(static_cast<int>(a >> 16), static_cast<int>(b >> 16))) << 16;
    };
  };
  const auto s = [](int x) { return x >= 0x8000 ? x - 0x10000 : x; };
  check<U>("add.u16x2 D, A, B;", halves([](int a, int b) { return a + b; }));
  check<U>("add.s16x2 D, A, B;", halves([](int a, int b) { return a + b; }));
  check<U>("min.u16x2 D, A, B;", halves([](int a, int b) { return std::min(a, b); }));
  check<U>("max.s16x2 D, A, B;", halves([=](int a, int b) { return std::max(s(a), s(b)); }));
  check<U>("min.s16x2.relu D, A, B;", halves([=](int a, int b) { return std::max(0, std::min(s(a), s(b))); }));
}

TEST_CASE("the carry flag") {
  // r2:r1 and r4:r3 as numbers of 64 bits, in halves.
  const auto both = [](const Words& w, unsigned i) { return std::uint64_t{w[i + 1]} << 32 | w[i]; };
  const auto cases = usual_words();
  check_words("add.cc.u32 %r5, %r1, %r3; addc.u32 %r6, %r2, %r4;", cases,
              [=](const Words& w) { return both(w, 0) + both(w, 2); });
  check_words("sub.cc.s32 %r5, %r1, %r3; subc.s32 %r6, %r2, %r4;", cases,
              [=](const Words& w) { return both(w, 0) - both(w, 2); });
  check_words("mad.lo.cc.u32 %r5, %r1, %r3, %r2; madc.hi.u32 %r6, %r1, %r3, %r4;", cases,
              [](const Words& w) { return std::uint64_t{w[0]} * w[2] + (std::uint64_t{w[3]} << 32 | w[1]); });
  // The third word of a chain, which carries through the second.
  check_words("add.cc.u32 %r7, %r1, %r3; addc.cc.u32 %r7, %r2, %r4; addc.u32 %r5, 0, 0;", cases, [=](const Words& w) {
    return static_cast<std::uint64_t>((UnsignedWide{both(w, 0)} + both(w, 2)) >> 64);
  });
  check_words("sub.cc.u64 %d5, %d1, %d2; subc.u64 %d5, 0, 0; mov.b64 {%r5, %r6}, %d5;", cases,
              [=](const Words& w) { return both(w, 0) < both(w, 2) ? ~std::uint64_t{0} : 0; });
  check_words("mad.lo.cc.u64 %d5, %d1, %d2, %d1; madc.hi.cc.u64 %d5, %d1, %d2, 0; mov.b64 {%r5, %r6}, %d5;", cases,
              [=](const Words& w) {
                const UnsignedWide product = UnsignedWide{both(w, 0)} * both(w, 2) + both(w, 0);
                return static_cast<std::uint64_t>(product >> 64);
              });
}

TEST_CASE("each lane has its own carry flag, and keeps it while others run") {
  // Odd lanes add without writing the flag.
  check_words("add.cc.u32 %r7, %r1, %r3; setp.lt.u32 %p1, %r2, %r4; @%p1 add.cc.u32 %r7, 0, 0; addc.u32 %r5, 0, 0;",
              usual_words(), [](const Words& w) {
                return w[1] < w[3] ? 0u : static_cast<unsigned>((std::uint64_t{w[0]} + w[2]) >> 32);
              });
}

TEST_CASE("dot products of bytes") {
  const auto element = [](std::uint32_t word, unsigned i, unsigned bits, bool is_signed) {
    const int value = static_cast<int>((word >> (bits * i)) & ((1u << bits) - 1));
    return is_signed && value >= 1 << (bits - 1) ? value - (1 << bits) : value;
  };
  for (const bool a : {false, true})
    for (const bool b : {false, true}) {
      const std::string types = std::string(a ? ".s32" : ".u32") + (b ? ".s32" : ".u32");
      const auto dot = [=](const Words& w, unsigned bits, unsigned count, unsigned first) {
        auto sum = static_cast<std::int64_t>(w[2]);
        for (unsigned i = 0; i < count; ++i)
          sum += std::int64_t{element(w[0], i, bits, a)} * element(w[1], first + i, 8, b);
        return static_cast<std::uint32_t>(sum);
      };
      check_words("dp4a" + types + " %r5, %r1, %r2, %r3;", usual_words(),
                  [=](const Words& w) { return dot(w, 8, 4, 0); });
      check_words("dp2a.lo" + types + " %r5, %r1, %r2, %r3;", usual_words(),
                  [=](const Words& w) { return dot(w, 16, 2, 0); });
      check_words("dp2a.hi" + types + " %r5, %r1, %r2, %r3;", usual_words(),
                  [=](const Words& w) { return dot(w, 16, 2, 2); });
    }
}

TEST_CASE("forms that PTX does not have are errors of the text") {
  for (const char* text : {"add.sat.u32 %r1, %r2, %r3;", "neg.u32 %r1, %r2;", "add.s32 %r1, %r2;",
                           "add.s32 %r1, %d1, %r2;", "mul.s32 %r1, %r2, %r3;", "mul.wide.u64 %d1, %d2, %d3;",
                           "min.relu.u32 %r1, %r2, %r3;", "add.b32 %r1, %r2, %r3;", "add %r1, %r2, %r3;"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(TestModule(elementwise(text, 4)), ptx::ParseError);
  }
}

}  // namespace integer_test
