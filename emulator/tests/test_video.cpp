// Video instructions.
#include "instruction_runs.hpp"

#include <algorithm>

namespace video_test {

using namespace kiln::emulator;

namespace {

using I = std::int64_t;

I extended(std::uint32_t word, unsigned first, unsigned bits, bool is_signed) {
  const I value = (I{word} >> first) & ((I{1} << bits) - 1);
  return is_signed && value >= I{1} << (bits - 1) ? value - (I{1} << bits) : value;
}
I s32(std::uint32_t word) { return extended(word, 0, 32, true); }

}  // namespace

TEST_CASE("scalar video arithmetic") {
  const auto cases = usual_words();
  check_words("vadd.s32.u32.s32.sat %r5, %r1, %r2; vsub.u32.u32.u32 %r6, %r1.b3, %r2.h1;", cases, [](const Words& w) {
    const auto sum = std::clamp<I>(I{w[0]} + s32(w[1]), INT32_MIN, INT32_MAX);
    return std::uint64_t{(w[0] >> 24) - (w[1] >> 16)} << 32 | static_cast<std::uint32_t>(sum);
  });
  check_words("vabsdiff.u32.s32.s32.add %r5, %r1.h0, %r2.b1, %r3; vmin.s32.s32.u32.max %r6, %r1, %r2, %r3;", cases,
              [](const Words& w) {
                const I difference = extended(w[0], 0, 16, true) - extended(w[1], 8, 8, true);
                const I least = s32(static_cast<std::uint32_t>(std::min(s32(w[0]), I{w[1]})));
                return static_cast<std::uint64_t>(std::max(least, s32(w[2]))) << 32 |
                       static_cast<std::uint32_t>(std::abs(difference) + w[2]);
              });
  check_words(
      "vmax.s32.s32.s32.sat %r5.b2, %r1, %r2, %r3; vadd.u32.u32.u32 %r6.h1, %r1, %r2, %r3;", cases, [](const Words& w) {
        const auto byte = static_cast<std::uint32_t>(std::clamp<I>(std::max(s32(w[0]), s32(w[1])), -128, 127)) & 255u;
        return std::uint64_t{((w[0] + w[1]) & 0xFFFF0000u) | (w[2] & 0xFFFFu)} << 32 |
               ((w[2] & 0xFF00FFFFu) | byte << 16);
      });
}

TEST_CASE("video shifts, comparisons and products") {
  const auto cases = usual_words();
  check_words("vshl.u32.u32.u32.clamp %r5, %r1, %r2; vshr.s32.s32.u32.wrap %r6, %r1, %r2;", cases, [](const Words& w) {
    const auto left = static_cast<std::uint32_t>(std::uint64_t{w[0]} << std::min(w[1], 32u));
    return static_cast<std::uint64_t>(s32(w[0]) >> (w[1] % 32)) << 32 | left;
  });
  check_words(
      "vset.s32.u32.lt %r5, %r1, %r2; vset.u32.u32.ge.add %r6, %r1.b0, %r2.b0, %r3;", cases, [](const Words& w) {
        return std::uint64_t{((w[0] & 255u) >= (w[1] & 255u) ? 1u : 0u) + w[2]} << 32 | (s32(w[0]) < I{w[1]} ? 1u : 0u);
      });
  check_words("vmad.s32.s32.u32.sat %r5, %r1.h0, %r2.b1, %r3; vmad.u32.u32.u32.po.shr7 %r6, %r1.h1, %r2.h0, %r3;",
              cases, [](const Words& w) {
                const I product = extended(w[0], 0, 16, true) * extended(w[1], 8, 8, false) + s32(w[2]);
                const I average = (extended(w[0], 16, 16, false) * extended(w[1], 0, 16, false) + s32(w[2]) + 1) >> 7;
                return static_cast<std::uint64_t>(average) << 32 |
                       static_cast<std::uint32_t>(std::clamp<I>(product, INT32_MIN, INT32_MAX));
              });
  check_words("vmad.s32.u32.u32 %r5, -%r1.h0, %r2.h0, %r3; vmad.s32.u32.u32.shr15 %r6, %r1.h0, %r2.h0, -%r3;", cases,
              [](const Words& w) {
                const I product = I{w[0] & 0xFFFFu} * I{w[1] & 0xFFFFu};
                return static_cast<std::uint64_t>((product - s32(w[2])) >> 15) << 32 |
                       static_cast<std::uint32_t>(s32(w[2]) - product);
              });
}

TEST_CASE("video instructions of four bytes and two halves") {
  const auto cases = usual_words();
  const auto elements = [](const Words& w, unsigned bits, auto element) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 32 / bits; ++i)
      result |= (static_cast<std::uint32_t>(element(w, bits * i)) & ((1u << bits) - 1)) << (bits * i);
    return result;
  };
  check_words("vadd4.u32.u32.u32.sat %r5, %r1, %r2, %r3; vsub4.s32.s32.s32.sat %r6, %r1, %r2, %r3;", cases,
              [=](const Words& w) {
                return std::uint64_t{elements(
                           w, 8,
                           [](const Words& x, unsigned at) {
                             return std::clamp<I>(extended(x[0], at, 8, true) - extended(x[1], at, 8, true), -128, 127);
                           })}
                           << 32 |
                       elements(w, 8, [](const Words& x, unsigned at) {
                         return std::min<I>(extended(x[0], at, 8, false) + extended(x[1], at, 8, false), 255);
                       });
              });
  check_words(
      "vavrg2.s32.s32.s32 %r5, %r1, %r2, %r3; vset2.u32.s32.le %r6, %r1, %r2, %r3;", cases, [=](const Words& w) {
        return std::uint64_t{elements(w, 16,
                                      [](const Words& x, unsigned at) {
                                        return extended(x[0], at, 16, false) <= extended(x[1], at, 16, true) ? 1 : 0;
                                      })}
                   << 32 |
               elements(w, 16, [](const Words& x, unsigned at) {
                 const I sum = extended(x[0], at, 16, true) + extended(x[1], at, 16, true);
                 return sum >= 0 ? (sum + 1) >> 1 : sum >> 1;
               });
      });
  // The sum of absolute differences, and a part of it.
  check_words("vabsdiff4.u32.u32.u32.add %r5, %r1, %r2, %r3; vabsdiff4.u32.u32.u32.add %r6.b20, %r1, %r2, %r3;", cases,
              [](const Words& w) {
                const auto part = [&](unsigned i) {
                  return static_cast<std::uint32_t>(
                      std::abs(extended(w[0], 8 * i, 8, false) - extended(w[1], 8 * i, 8, false)));
                };
                return std::uint64_t{w[2] + part(0) + part(2)} << 32 | (w[2] + part(0) + part(1) + part(2) + part(3));
              });
  // Bytes chosen from both registers, and only half of the result.
  check_words("vmax4.u32.u32.u32 %r5, %r1.b0246, %r2.b7531, %r3; vadd2.u32.u32.u32 %r6.h1, %r1.h32, %r2.h10, %r3;",
              cases, [](const Words& w) {
                const std::uint64_t both = std::uint64_t{w[1]} << 32 | w[0];
                const auto byte = [&](unsigned i) { return static_cast<std::uint32_t>(both >> (8 * i)) & 255u; };
                std::uint32_t result = 0;
                for (unsigned i = 0; i < 4; ++i) result |= std::max(byte(6 - 2 * i), byte(1 + 2 * i)) << (8 * i);
                return std::uint64_t{(w[2] & 0xFFFFu) | ((w[1] >> 16) + (w[0] >> 16)) << 16} << 32 | result;
              });
}

}  // namespace video_test
