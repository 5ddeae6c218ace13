// What a warp keeps that handlers do not see.
#pragma once

#include "emulator/machine/block.hpp"
#include "emulator/machine/trace.hpp"
#include "emulator/machine/warp.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace kiln::emulator {

/// Bytes that a thread's stack may have.
inline std::uint64_t stack_limit(const Block& block) {
  constexpr std::uint64_t smallest = 64 * 1024;
  return std::max(smallest, block.request().stack_limit);
}

/// Lanes that came to a sync step before the other members.
struct ParkedLanes {
  Group group;  // pc: of the sync step
  LaneMask members = 0;
};

struct Warp::Hidden {
  std::vector<std::unique_ptr<Frame>> frames;  // all that were ever made
  std::vector<Frame*> spare;
  std::uint64_t next_serial = 0;
  Frame* lane_frames[warp_size] = {};
  std::vector<Group> waiting;  // at barriers; pc: where they go on
  std::vector<ParkedLanes> parked;
  std::vector<std::byte> locals;     // lane after lane
  std::uint64_t locals_of_lane = 0;  // bytes
  std::unique_ptr<Trace> trace;      // mostly null
  LaneMask threads = 0;              // lanes that the block has threads for
  std::uint64_t patience = 0;        // steps that a group runs while others are ready
  std::uint64_t turn_left = 0;       // of the current group
  bool out_of_turn = false;          // the current group is not the one that the order would have
  std::uint32_t meeting_place = 0;   // where the current group comes to another one's place, or passes it
};

}  // namespace kiln::emulator
