// KILN_EMULATOR_CHECK=divergence: barriers that threads of a warp do not come to together.
#pragma once

#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace kiln::emulator {

/// Of a block, and of barriers that are told to be for whole warps (bar.sync, which __syncthreads() is). That threads
/// come later than others says nothing: these may have run longer, or be about to end, and nothing is expected of them
/// then. A finding is a Fault with CUDA_ERROR_LAUNCH_FAILED.
class DivergenceCheck {
 public:
  /// Null unless Settings ask for it.
  static std::unique_ptr<DivergenceCheck> made();

  /// The warp's current group comes to a barrier, with these lanes. At fault where others of the warp wait for the same
  /// barrier at another place.
  void arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier);
  /// At fault where threads of a warp that has come in part did not come.
  void complete(const Warp& last, std::uint32_t barrier);
  /// Threads of the warp have ended. At fault where others of them wait.
  void ended(const Warp& warp);

 private:
  struct Arrival {
    const Warp* warp = nullptr;
    const Frame* frame = nullptr;
    const Code* code = nullptr;
    std::uint32_t step = 0;
    LaneMask arrived = 0;
    LaneMask awaited = 0;  // that were elsewhere, and not about to end
  };
  static std::string waiting_text(const Arrival& arrival);

  std::map<std::pair<std::uint32_t, std::uint32_t>, Arrival> arrivals_;  // by barrier and warp
};

}  // namespace kiln::emulator
