// KILN_EMULATOR_CHECK=divergence: barriers that the threads of a warp do not reach together, or the warps of a block
// not at one line.
#pragma once

#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace kiln::emulator {

/// One object for each block. Checks barriers that are for whole warps (bar.sync, which is __syncthreads()). Threads
/// that only arrive later than others are not reported: they may have run longer, or be about to exit. A finding is a
/// Fault with CUDA_ERROR_LAUNCH_FAILED. Implemented in checks/.
class DivergenceCheck {
 public:
  /// Null unless Settings turn the check on.
  static std::unique_ptr<DivergenceCheck> make_if_enabled();

  /// These lanes of the current group reach a barrier, for all threads of the block or for a number of them. A fault if
  /// others of the warp wait for the same barrier at another place.
  void arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier, bool for_block);
  /// The barrier is complete. A fault if only some of the threads of a warp have reached it, or warps have reached one
  /// for the whole block at different lines of the source.
  void complete(const Warp& last, std::uint32_t barrier);
  /// Threads of the warp have exited. A fault if others of it wait.
  void ended(const Warp& warp);

 private:
  struct Arrival {
    const Warp* warp = nullptr;
    const Frame* frame = nullptr;
    const Code* code = nullptr;
    std::uint32_t step = 0;
    LaneMask arrived = 0;
    LaneMask awaited = 0;  // lanes that were elsewhere, and not about to exit
    bool for_block = false;
  };
  using Arrivals = std::map<std::pair<std::uint32_t, std::uint32_t>, Arrival>;  // by barrier and warp
  static std::string waiting_text(const Arrival& arrival, const char* whose = "its");
  static void compare_lines(const Warp& last, Arrivals::const_iterator begin, Arrivals::const_iterator end);

  Arrivals arrivals_;
};

}  // namespace kiln::emulator
