// Bits counted, searched, extracted and inserted.
#include "instruction_runs.hpp"

namespace bit_fields_test {

using namespace kiln::emulator;

namespace {

bool bit(std::uint64_t value, unsigned at) { return ((value >> at) & 1u) != 0; }

/// As the manual says it, bit by bit.
std::uint64_t extracted(std::uint64_t a, unsigned position, unsigned length, unsigned bits, bool is_signed) {
  position &= 255;
  length &= 255;
  const unsigned top = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
  const bool sign = is_signed && length != 0 && bit(a, top);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const bool one = i < length && position + i < bits ? bit(a, position + i) : sign;
    result |= std::uint64_t{one} << i;
  }
  return result;
}
std::uint64_t inserted(std::uint64_t a, std::uint64_t b, unsigned position, unsigned length, unsigned bits) {
  position &= 255;
  length &= 255;
  for (unsigned i = 0; i < length && position + i < bits; ++i) {
    const std::uint64_t one = std::uint64_t{1} << (position + i);
    b = bit(a, i) ? b | one : b & ~one;
  }
  return b;
}

const std::vector<std::uint32_t> places = {0, 1, 7, 16, 31, 32, 33, 63, 64, 65, 200, 255, 256, 0xFFFFFFFFu};

}  // namespace

TEST_CASE("fields of bits, also beyond the width") {
  const auto cases = words_with(places, places);
  const auto whole = [](const Words& w) { return std::uint64_t{w[1]} << 32 | w[0]; };
  const std::string out = " mov.b64 {%r5, %r6}, %d5;";
  check_words("bfe.u32 %r5, %r1, %r3, %r4;", cases,
              [](const Words& w) { return extracted(w[0], w[2], w[3], 32, false); });
  check_words("bfe.s32 %r5, %r1, %r3, %r4;", cases,
              [](const Words& w) { return extracted(w[0], w[2], w[3], 32, true); });
  check_words("bfe.u64 %d5, %d1, %r3, %r4;" + out, cases,
              [=](const Words& w) { return extracted(whole(w), w[2], w[3], 64, false); });
  check_words("bfe.s64 %d5, %d1, %r3, %r4;" + out, cases,
              [=](const Words& w) { return extracted(whole(w), w[2], w[3], 64, true); });
  check_words("bfi.b32 %r5, %r1, %r2, %r3, %r4;", cases,
              [](const Words& w) { return inserted(w[0], w[1], w[2], w[3], 32); });
  check_words("bfi.b64 %d5, %d1, %d2, %r3, %r4;" + out, cases,
              [=](const Words& w) { return inserted(whole(w), std::uint64_t{w[3]} << 32 | w[2], w[2], w[3], 64); });
}

TEST_CASE("masks and extensions of some lowest bits") {
  const auto cases = words_with(places, places);
  const auto ones = [](std::uint64_t from, std::uint64_t count) {
    std::uint32_t mask = 0;
    for (std::uint64_t i = from; i < from + count && i < 32; ++i) mask |= 1u << i;
    return mask;
  };
  check_words("bmsk.clamp.b32 %r5, %r3, %r4;", cases, [=](const Words& w) { return ones(w[2], w[3]); });
  check_words("bmsk.wrap.b32 %r5, %r3, %r4;", cases, [=](const Words& w) { return ones(w[2] % 32, w[3] % 32); });
  check_words("szext.clamp.u32 %r5, %r1, %r3;", cases, [=](const Words& w) { return w[0] & ones(0, w[2]); });
  check_words("szext.clamp.s32 %r5, %r1, %r3;", cases,
              [](const Words& w) { return w[2] >= 32 ? w[0] : extracted(w[0], 0, w[2], 32, true); });
  check_words("szext.wrap.s32 %r5, %r1, %r3;", cases,
              [](const Words& w) { return extracted(w[0], 0, w[2] % 32, 32, true); });
  check_words("szext.wrap.u32 %r5, %r1, %r3;", cases, [=](const Words& w) { return w[0] & ones(0, w[2] % 32); });
}

TEST_CASE("bits counted and searched") {
  const auto cases = usual_words();
  const auto whole = [](const Words& w) { return std::uint64_t{w[1]} << 32 | w[0]; };
  const auto count = [](std::uint64_t value) {
    unsigned ones = 0;
    for (unsigned i = 0; i < 64; ++i) ones += bit(value, i);
    return ones;
  };
  const auto highest = [](std::uint64_t value, unsigned bits, bool is_signed) {
    if (is_signed && bit(value, bits - 1)) value = ~value;
    for (unsigned i = bits; i-- > 0;)
      if (bit(value, i)) return i;
    return ~0u;
  };
  check_words("popc.b32 %r5, %r1; popc.b64 %r6, %d1;", cases,
              [=](const Words& w) { return std::uint64_t{count(whole(w))} << 32 | count(w[0]); });
  check_words("clz.b32 %r5, %r1; clz.b64 %r6, %d1;", cases, [=](const Words& w) {
    return std::uint64_t{63 - highest(whole(w), 64, false)} << 32 | std::uint32_t{31 - highest(w[0], 32, false)};
  });
  check_words("bfind.u32 %r5, %r1; bfind.s32 %r6, %r1;", cases,
              [=](const Words& w) { return std::uint64_t{highest(w[0], 32, true)} << 32 | highest(w[0], 32, false); });
  check_words("bfind.u64 %r5, %d1; bfind.s64 %r6, %d1;", cases, [=](const Words& w) {
    return std::uint64_t{highest(whole(w), 64, true)} << 32 | highest(whole(w), 64, false);
  });
  check_words("bfind.shiftamt.u32 %r5, %r1; bfind.shiftamt.s64 %r6, %d1;", cases, [=](const Words& w) {
    const unsigned low = highest(w[0], 32, false), high = highest(whole(w), 64, true);
    return std::uint64_t{high == ~0u ? high : 63 - high} << 32 | (low == ~0u ? low : 31 - low);
  });
  check_words("brev.b32 %r5, %r1;", cases, [](const Words& w) {
    std::uint32_t reversed = 0;
    for (unsigned i = 0; i < 32; ++i) reversed |= std::uint32_t{bit(w[0], i)} << (31 - i);
    return reversed;
  });
  check_words("brev.b64 %d5, %d1; mov.b64 {%r5, %r6}, %d5;", cases, [=](const Words& w) {
    std::uint64_t reversed = 0;
    for (unsigned i = 0; i < 64; ++i) reversed |= std::uint64_t{bit(whole(w), i)} << (63 - i);
    return reversed;
  });
}

TEST_CASE("fns finds the n-th bit set, up or down") {
  const auto cases =
      words_with({0, 1, 15, 31, 32, 0xFFFFFFFFu}, {0, 1, 2, 16, 32, 33, 0xFFFFFFFFu, 0xFFFFFFF0u, 0x80000000u});
  check_words("fns.b32 %r5, %r1, %r3, %r4;", cases, [](const Words& w) {
    const auto n = static_cast<std::int32_t>(w[3]);
    std::vector<std::uint32_t> found;  // in the order of the search
    if (w[2] > 31) return 0xFFFFFFFFu;
    if (n >= 0)
      for (std::uint32_t i = w[2]; i < 32; ++i) {
        if (bit(w[0], i)) found.push_back(i);
        if (n == 0) break;
      }
    else
      for (std::uint32_t i = w[2] + 1; i-- > 0;)
        if (bit(w[0], i)) found.push_back(i);
    const std::uint64_t nth = n == 0 ? 1 : static_cast<std::uint64_t>(std::abs(std::int64_t{n}));
    return nth <= found.size() ? found[nth - 1] : 0xFFFFFFFFu;
  });
}

}  // namespace bit_fields_test
