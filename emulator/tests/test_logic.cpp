// Bits and shifts.
#include "instruction_runs.hpp"

namespace logic_test {

using namespace kiln::emulator;

namespace {

template <class T>
void check_type(const std::string& bits) {
  CAPTURE(bits);
  const std::string b = ".b" + bits, u = ".u" + bits, s = ".s" + bits;
  check<T>("and" + b + " D, A, B;", [](T x, T y) { return x & y; });
  check<T>("or" + b + " D, A, B;", [](T x, T y) { return x | y; });
  check<T>("xor" + b + " D, A, B;", [](T x, T y) { return x ^ y; });
  check<T>("not" + b + " D, A;", [](T x, T) { return ~x; });
  check<T>("cnot" + b + " D, A;", [](T x, T) { return x == 0 ? 1 : 0; });
  // The amount is one of 32 bits, and everything goes out by a large one.
  const std::string amount = sizeof(T) == 2   ? "cvt.u32.u16 %r9, B; "
                             : sizeof(T) == 4 ? "mov.b32 %r9, B; "
                                              : "cvt.u32.u64 %r9, B; ";
  constexpr unsigned width = 8 * sizeof(T);
  const auto by = [](T y) { return static_cast<std::uint32_t>(y); };
  check<T>(amount + "shl" + b + " D, A, %r9;",
           [=](T x, T y) { return by(y) >= width ? 0 : static_cast<std::uint64_t>(x) << by(y); });
  check<T>(amount + "shr" + u + " D, A, %r9;",
           [=](T x, T y) { return by(y) >= width ? 0 : static_cast<std::uint64_t>(x) >> by(y); });
  check<T>(amount + "shr" + b + " D, A, %r9;",
           [=](T x, T y) { return by(y) >= width ? 0 : static_cast<std::uint64_t>(x) >> by(y); });
  check<T>(amount + "shr" + s + " D, A, %r9;", [=](T x, T y) {
    const auto value = static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(x));
    return value >> std::min(by(y), 63u);
  });
}

}  // namespace

TEST_CASE("logic and shifts of every width") {
  check_type<std::uint16_t>("16");
  check_type<std::uint32_t>("32");
  check_type<std::uint64_t>("64");
}

TEST_CASE("lop3 has every function of three bits") {
  const std::vector<Words> cases = {{0xF0F0F0F0u, 0xCCCCCCCCu, 0xAAAAAAAAu, 0},
                                    {0x12345678u, 0x9ABCDEF0u, 0xFFFF0000u, 0}};
  for (const unsigned table : {0x00u, 0xFFu, 0x80u, 0xFEu, 0x96u, 0xCAu, 0xE8u, 0x01u, 0x5Au}) {
    check_words("lop3.b32 %r5, %r1, %r2, %r3, " + std::to_string(table) + ";", cases, [=](const Words& w) {
      std::uint32_t result = 0;
      for (unsigned i = 0; i < 32; ++i) {
        const unsigned entry = ((w[0] >> i) & 1u) * 4 + ((w[1] >> i) & 1u) * 2 + ((w[2] >> i) & 1u);
        result |= ((table >> entry) & 1u) << i;
      }
      return result;
    });
  }
}

TEST_CASE("lop3 with a predicate tells whether any bit is set") {
  check_words(
      "setp.ne.u32 %p1, %r4, 0; lop3.or.b32 %r7|%p2, %r1, %r2, %r3, 0x80, %p1; selp.u32 %r5, 1, 0, %p2;\n"
      "lop3.and.b32 _|%p2, %r1, %r2, %r3, 0x80, !%p1; selp.u32 %r6, 1, 0, %p2;",
      usual_words(), [](const Words& w) {
        const bool any = (w[0] & w[1] & w[2]) != 0, p = w[3] != 0;
        return std::uint64_t{any && !p} << 32 | std::uint64_t{any || p};
      });
}

TEST_CASE("logic of predicates") {
  check_words(
      "setp.ne.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r3, 0;\n"
      "and.pred %p3, %p1, %p2; or.pred %p4, %p1, %p2; xor.pred %p5, %p1, !%p2; not.pred %p6, %p1; mov.pred %p7, %p6;\n"
      "selp.u32 %r7, 1, 0, %p3; selp.u32 %r8, 2, 0, %p4; selp.u32 %r9, 4, 0, %p5; selp.u32 %r10, 8, 0, %p6;\n"
      "selp.u32 %r11, 16, 0, %p7; or.b32 %r5, %r7, %r8; or.b32 %r5, %r5, %r9; or.b32 %r5, %r5, %r10; or.b32 %r5, %r5, "
      "%r11;",
      usual_words(), [](const Words& w) {
        const bool a = w[0] != 0, b = w[2] != 0;
        return (a && b ? 1u : 0u) | (a || b ? 2u : 0u) | (a != !b ? 4u : 0u) | (a ? 0u : 24u);
      });
}

TEST_CASE("funnel shifts") {
  const auto cases = words_with({0, 1, 31, 32, 33, 64, 0xFFFFFFFFu}, {0});
  const auto both = [](const Words& w) { return std::uint64_t{w[1]} << 32 | w[0]; };
  check_words("shf.l.clamp.b32 %r5, %r1, %r2, %r3; shf.l.wrap.b32 %r6, %r1, %r2, %r3;", cases, [=](const Words& w) {
    const auto left = [&](unsigned n) { return n == 0 ? w[1] : static_cast<std::uint32_t>(both(w) >> (32 - n)); };
    return std::uint64_t{left(w[2] % 32)} << 32 | left(std::min(w[2], 32u));
  });
  check_words("shf.r.clamp.b32 %r5, %r1, %r2, %r3; shf.r.wrap.b32 %r6, %r1, %r2, %r3;", cases, [=](const Words& w) {
    const auto right = [&](unsigned n) { return static_cast<std::uint32_t>(both(w) >> n); };
    return std::uint64_t{right(w[2] % 32)} << 32 | right(std::min(w[2], 32u));
  });
}

}  // namespace logic_test
