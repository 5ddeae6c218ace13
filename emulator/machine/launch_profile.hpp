// KILN_EMULATOR_PROFILE: counts of what the threads of a launch do. Implemented in profile/.
#pragma once

#include "emulator/machine/step.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/memory/windows.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::emulator {

struct LaunchRequest;

/// The accesses that an instruction makes for the lanes of a warp together.
struct WarpAccess {
  ptx::Space space = ptx::Space::none;  // may be generic
  const std::uint64_t* at = nullptr;    // of 32 lanes, addresses of the space
  LaneMask lanes = 0;
  unsigned size = 0;  // bytes of each lane
  Access access = Access::read;
};

/// Counts for one block at a time, on the thread that runs it.
class BlockProfile {
 public:
  virtual ~BlockProfile() = default;
  /// The block's threads have ended, and it becomes another one.
  virtual void restart(const Block& block) = 0;
  /// The warp's current group is at the step before its pc. The lanes of `active` execute it, the others skip it.
  virtual void step(const Warp& warp, LaneMask active) = 0;
  virtual void access(const Warp& warp, const Step& step, const WarpAccess& access) = 0;
  /// An access that only a single lane's handler knows; those of a step are put together. `space` is not generic.
  virtual void lane_access(const Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                           unsigned size, Access access) = 0;
  /// Lanes of the current group arrive at a barrier of the block, at the step before the pc.
  virtual void arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier) = 0;
  /// The barrier is complete. `waiting`: the lanes of each warp that wait there.
  virtual void complete(std::uint32_t barrier, const std::vector<LaneMask>& waiting) = 0;
};

class LaunchProfile {
 public:
  /// Null unless Settings ask for a profile.
  static std::unique_ptr<LaunchProfile> make_if_enabled(const LaunchRequest& request);
  virtual ~LaunchProfile() = default;
  /// For a block that the calling thread will run. Thread-safe. The block must end before the launch's end.
  virtual std::unique_ptr<BlockProfile> of_block(const Block& block) = 0;
  /// All blocks have ended: adds the counts to those of the process.
  virtual void end(bool failed) = 0;
};

}  // namespace kiln::emulator
