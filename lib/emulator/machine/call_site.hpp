// A call as its function sees it: what a step of a call points to.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/warp.hpp"

#include <string>
#include <vector>

namespace kiln::emulator {

struct CallSite {
  const Code* callee = nullptr;  // null where a register tells it
  /// In the caller's parameter bytes.
  std::vector<ParamPlace> arguments, results;
};

/// Copies the arguments of the lanes to their new frame, whose caller's step `call` is.
void pass_arguments(const CallSite& site, const Frame& frame, LaneMask lanes);
/// Copies the results of the lanes that return from the frame to its caller.
void return_results(const Frame& frame, LaneMask lanes);

}  // namespace kiln::emulator
