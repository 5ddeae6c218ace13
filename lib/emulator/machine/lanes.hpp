// The 32 lanes of a warp.
#pragma once

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

/// The lanes of `active` for which f(lane) is true.
template <class F>
inline LaneMask lanes_where(LaneMask active, F f) {
  LaneMask found = 0;
  each_lane(active, [&](unsigned lane) { found |= static_cast<LaneMask>(f(lane) ? 1u : 0u) << lane; });
  return found;
}

}  // namespace kiln::emulator
