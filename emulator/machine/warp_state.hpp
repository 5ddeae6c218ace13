// The state of a warp that handlers do not see.
#pragma once

#include "emulator/machine/block.hpp"
#include "emulator/machine/trace.hpp"
#include "emulator/machine/warp.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace kiln::emulator {

/// The size of a thread's stack in bytes.
inline std::uint64_t stack_limit(const Block& block) {
  constexpr std::uint64_t smallest = std::uint64_t{64} * 1024;
  return std::max(smallest, block.request().stack_limit);
}

/// Lanes that wait at a sync step for its other members.
struct ParkedLanes {
  Group group;  // pc: of the sync step
  LaneMask members = 0;
};

struct Warp::State {
  std::vector<std::unique_ptr<Frame>> frames;  // owns all frames
  std::vector<Frame*> spare;
  std::uint64_t next_serial = 0;
  Frame* lane_frames[warp_size] = {};
  std::vector<Group> waiting;  // at barriers; pc: the next step
  std::vector<ParkedLanes> parked;
  std::vector<std::byte> locals;       // one lane after the other
  std::uint64_t locals_of_lane = 0;    // bytes
  std::unique_ptr<Trace> trace;        // usually null
  bool observed = false;               // by a trace, a profile or step counts
  LaneMask threads = 0;                // lanes with a thread
  std::uint64_t slice = 0;             // steps that a group runs before another ready one runs
  std::uint64_t slice_left = 0;        // of the current group
  bool out_of_turn = false;            // the current group is not the first in order
  std::uint32_t reconvergence_pc = 0;  // where the current group reaches or passes the position of another one
};

}  // namespace kiln::emulator
