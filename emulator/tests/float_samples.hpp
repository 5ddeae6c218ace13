// Values that tests of floating instructions try: every edge, and random bits of all exponents.
#pragma once

#include "emulator/numbers/float_format.hpp"

#include <bit>
#include <random>
#include <vector>

namespace kiln::emulator {

/// Both signs of zero, of the least and largest subnormal and normal values, of neighbours of one, of values where
/// integers end, and infinities and NaNs.
template <class F>
std::vector<typename F::Bits> float_edges() {
  using Bits = typename F::Bits;
  const Bits unit = F::min_normal;
  std::vector<Bits> edges;
  for (const std::uint64_t magnitude : {std::uint64_t{0},
                                        std::uint64_t{1},
                                        std::uint64_t{2},
                                        std::uint64_t{3},
                                        std::uint64_t{unit} / 2,
                                        std::uint64_t{unit} - 1,
                                        std::uint64_t{unit},
                                        std::uint64_t{unit} + 1,
                                        std::uint64_t{unit} * 2,
                                        std::uint64_t{F::one} - 1,
                                        std::uint64_t{F::one},
                                        std::uint64_t{F::one} + 1,
                                        std::uint64_t{F::one} + unit / 2,
                                        std::uint64_t{F::one} - unit,
                                        std::uint64_t{F::one} + unit,
                                        std::uint64_t{F::one} + unit + unit / 2,
                                        std::uint64_t{F::one} + F::fraction_bits * std::uint64_t{unit},
                                        std::uint64_t{F::one} + F::fraction_bits * std::uint64_t{unit} + 1,
                                        std::uint64_t{F::max_finite} - unit,
                                        std::uint64_t{F::max_finite} - 1,
                                        std::uint64_t{F::max_finite},
                                        std::uint64_t{F::infinity},
                                        std::uint64_t{F::infinity} + unit / 2,
                                        std::uint64_t{F::infinity} + 1,
                                        std::uint64_t{F::sign} - 1}) {
    edges.push_back(static_cast<Bits>(magnitude));
    edges.push_back(static_cast<Bits>(magnitude | F::sign));
  }
  return edges;
}

template <class F>
typename F::Bits random_float(std::mt19937_64& random) {
  return static_cast<typename F::Bits>(random());
}

/// Pairs: all edges with all edges, then random bits, then random values near each other's exponents (where sums
/// cancel and align), up to `count` in all.
template <class F>
void float_pairs(std::size_t count, std::vector<typename F::Bits>& a, std::vector<typename F::Bits>& b) {
  using Bits = typename F::Bits;
  for (const Bits left : float_edges<F>())
    for (const Bits right : float_edges<F>()) {
      a.push_back(left);
      b.push_back(right);
    }
  std::mt19937_64 random(7);
  while (a.size() < count) {
    const Bits left = random_float<F>(random);
    const Bits other = random_float<F>(random);
    const auto near = static_cast<Bits>(left ^ (other & (F::sign | (F::min_normal * 8u - 1u))));
    a.push_back(left);
    b.push_back(a.size() % 2 == 0 ? near : other);
  }
  a.resize(count);
  b.resize(count);
}

}  // namespace kiln::emulator
