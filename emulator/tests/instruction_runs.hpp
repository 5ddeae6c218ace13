// One instruction run on many operands, each result compared with what C++ says.
#pragma once

#include "run_ptx.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace kiln::emulator {

/// Values at the ends of the ranges, and some between.
template <class T>
std::vector<T> edge_values() {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned bits = 8 * sizeof(T);
  const U top = static_cast<U>(U{1} << (bits - 1));
  std::vector<T> values;
  for (const U value :
       {U{0}, U{1}, U{2}, U{7}, static_cast<U>(bits - 1), static_cast<U>(bits), static_cast<U>(bits + 1),
        static_cast<U>(top - 1), top, static_cast<U>(top + 1), static_cast<U>(~U{0}), static_cast<U>(~U{0} - 1),
        static_cast<U>(0x5A5A5A5AC3A51234u), static_cast<U>(top >> 1)})
    values.push_back(static_cast<T>(value));
  return values;
}

template <class T>
struct OperandPairs {
  std::vector<T> a, b;
};
/// All pairs of edge values, and as many more that no one chose, in whole warps.
template <class T>
OperandPairs<T> operand_pairs() {
  OperandPairs<T> pairs;
  for (const T a : edge_values<T>())
    for (const T b : edge_values<T>()) {
      pairs.a.push_back(a);
      pairs.b.push_back(b);
    }
  std::uint64_t state = 12345;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<T>(state >> 20 >> (state >> 59));
  };
  while (pairs.a.size() < 256 || pairs.a.size() % 32 != 0) {
    pairs.a.push_back(next());
    pairs.b.push_back(next());
  }
  return pairs;
}

/// The registers of elementwise() that have the size.
template <class T>
constexpr char register_letter() {
  return sizeof(T) == 2 ? 'h' : sizeof(T) == 4 ? 'r' : 'd';
}

/// Replaces D, A and B of a text by registers of T, and surrounds it with loads and a store.
template <class T>
std::string body_of(const std::string& text) {
  const std::string letter(1, register_letter<T>()), size = std::to_string(8 * sizeof(T));
  std::string body;
  for (const char c : text) {
    if (c == 'D')
      body += '%' + letter + '3';
    else if (c == 'A')
      body += '%' + letter + '1';
    else if (c == 'B')
      body += '%' + letter + '2';
    else
      body += c;
  }
  return "ld.global.b" + size + " %" + letter + "1, [%a]; ld.global.b" + size + " %" + letter + "2, [%b];\n" + body +
         "\nst.global.b" + size + " [%out], %" + letter + "3;\n";
}

/// `text` makes D of A and B; expected(a, b) says what D is.
template <class T, class Expected>
void check(const std::string& text, Expected expected) {
  CAPTURE(text);
  const OperandPairs<T> pairs = operand_pairs<T>();
  const std::vector<T> results = run_elementwise<T, T>(body_of<T>(text), pairs.a, pairs.b);
  for (std::size_t i = 0; i < results.size(); ++i) {
    CAPTURE(pairs.a[i]);
    CAPTURE(pairs.b[i]);
    REQUIRE(results[i] == static_cast<T>(expected(pairs.a[i], pairs.b[i])));
  }
}

using Words = std::array<std::uint32_t, 4>;

/// `text` makes %r5 and %r6 (0 at first) of %r1 to %r4; expected(words) is r6:r5. All words are tried in all places.
template <class Expected>
void check_words(const std::string& text, const std::vector<Words>& cases, Expected expected) {
  CAPTURE(text);
  std::vector<std::uint64_t> a, b;
  for (std::size_t i = 0; i < (cases.size() + 31) / 32 * 32; ++i) {
    const Words& words = cases[i % cases.size()];
    a.push_back(std::uint64_t{words[1]} << 32 | words[0]);
    b.push_back(std::uint64_t{words[3]} << 32 | words[2]);
  }
  const std::string body =
      "ld.global.b64 %d1, [%a]; ld.global.b64 %d2, [%b]; mov.b64 {%r1, %r2}, %d1; "
      "mov.b64 {%r3, %r4}, %d2; mov.b32 %r5, 0; mov.b32 %r6, 0;\n" +
      text + "\nmov.b64 %d3, {%r5, %r6}; st.global.b64 [%out], %d3;\n";
  const std::vector<std::uint64_t> results = run_elementwise<std::uint64_t, std::uint64_t>(body, a, b);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i][0]);
    CAPTURE(cases[i][1]);
    CAPTURE(cases[i][2]);
    CAPTURE(cases[i][3]);
    REQUIRE(results[i] == static_cast<std::uint64_t>(expected(cases[i])));
  }
}

/// Words of which the last two come from the lists.
inline std::vector<Words> words_with(const std::vector<std::uint32_t>& third,
                                     const std::vector<std::uint32_t>& fourth) {
  std::vector<Words> cases;
  const std::vector<std::uint32_t> values = {0, 1, 0x80000000u, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x8081FE7Fu, 0x12345678u};
  std::size_t i = 0;
  for (const std::uint32_t z : third)
    for (const std::uint32_t w : fourth)
      for (const std::uint32_t x : values) cases.push_back({x, values[++i % values.size()], z, w});
  return cases;
}
inline std::vector<Words> usual_words() {
  const std::vector<std::uint32_t> values = {0, 1, 2, 31, 32, 0x80000000u, 0xFFFFFFFFu, 0x7F80FF01u, 0xCAFEBABEu};
  return words_with(values, values);
}

}  // namespace kiln::emulator
