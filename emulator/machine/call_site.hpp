// What a step of a call points to.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/warp.hpp"

#include <string>
#include <vector>

namespace kiln::emulator {

struct CallSite {
  const Code* callee = nullptr;  // null for a call through a register
  /// In the caller's parameter bytes.
  std::vector<ParamPlace> arguments, results;
};

/// Copies the arguments of the lanes to their new frame.
void pass_arguments(const CallSite& site, const Frame& frame, LaneMask lanes);
/// Copies the results of the lanes that return from the frame to its caller.
void return_results(const Frame& frame, LaneMask lanes);

}  // namespace kiln::emulator
