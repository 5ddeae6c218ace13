// The 32 lanes of a warp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace kiln::emulator {

/// A bit for each lane; lane 0 is bit 0. A predicate register is a LaneMask.
using LaneMask = std::uint32_t;
constexpr LaneMask all_lanes = 0xFFFFFFFFu;
constexpr unsigned warp_size = 32;

/// The lowest lane of a mask that is not empty.
constexpr unsigned first_lane(LaneMask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

/// Calls f(lane) for each lane of the mask, in order. For a full warp this is a plain loop.
template <class F>
inline void each_lane(LaneMask active, F f) {
  if (active == all_lanes) {
    for (unsigned lane = 0; lane < warp_size; ++lane) f(lane);
    return;
  }
  for (; active != 0; active &= active - 1) f(static_cast<unsigned>(std::countr_zero(active)));
}

/// As each_lane, for independent lanes: f(lane) reads and writes nothing that another lane writes. Tells the compiler
/// so, which then vectorises a full warp; by itself it cannot know that two operands do not overlap. Not for reductions
/// and not for memory.
template <class F>
inline void each_lane_apart(LaneMask active, F f) {
  if (active == all_lanes) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (unsigned lane = 0; lane < warp_size; ++lane) f(lane);
    return;
  }
  each_lane(active, f);
}

/// The bit of each lane: a test of all lanes by these is vectorised, a shift by the lane's number is not everywhere.
inline constexpr std::array<LaneMask, warp_size> lane_bits = [] {
  std::array<LaneMask, warp_size> bits{};
  for (unsigned lane = 0; lane < warp_size; ++lane) bits[lane] = LaneMask{1} << lane;
  return bits;
}();

/// Whether the mask has at most four lanes.
constexpr bool has_few_lanes(LaneMask lanes) {
  for (int i = 0; i < 4; ++i) lanes &= lanes - 1;
  return lanes == 0;
}

/// d[lane] = value(lane) for the active lanes, which are independent as those of each_lane_apart. value() is called for
/// the others too, so it must allow that: a vectorised loop that keeps their values is faster than one over some lanes.
template <class D, class F>
inline void assign_lanes(LaneMask active, D* d, F value) {
  if (active == all_lanes || has_few_lanes(active))
    return each_lane_apart(active, [=](unsigned lane) { d[lane] = value(lane); });
  each_lane_apart(all_lanes, [=](unsigned lane) {
    const D fresh = value(lane);
    d[lane] = (active & lane_bits[lane]) != 0 ? fresh : d[lane];
  });
}

/// The lanes of `active` for which f(lane) is true.
template <class F>
inline LaneMask lanes_where(LaneMask active, F f) {
  LaneMask found = 0;
  each_lane(active, [&](unsigned lane) { found |= static_cast<LaneMask>(f(lane) ? 1u : 0u) << lane; });
  return found;
}

/// The same, vectorised, for an f that may be called for all lanes.
template <class F>
inline LaneMask lanes_where_apart(LaneMask active, F f) {
  LaneMask found = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) found |= f(lane) ? lane_bits[lane] : LaneMask{0};
  return found & active;
}

}  // namespace kiln::emulator
