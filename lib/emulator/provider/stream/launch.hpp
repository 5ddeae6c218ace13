// A launch whose sizes and parameters have been checked and copied.
#pragma once

#include "emulator/machine/launch.hpp"

#include <cuda.h>

#include <memory>

namespace kiln::emulator {

class Context;
struct FunctionState;

struct PreparedLaunch {
  std::shared_ptr<FunctionState> function;  // keeps the image
  LaunchRequest request;

  /// Runs the grid; a failure's report goes to the log.
  CUresult run() const;
};

struct LaunchSizes {
  Dim3 grid, block;
  unsigned shared_bytes = 0;
  bool cooperative = false;
};
/// As they are, or others, of a launch with the same parameters.
LaunchSizes sizes_of(const PreparedLaunch& launch);
std::shared_ptr<const PreparedLaunch> with_sizes(const PreparedLaunch& launch, const LaunchSizes& sizes);
/// Checked as the driver does, parameters copied. A CUkernel runs in the context. Throws CallError.
std::shared_ptr<const PreparedLaunch> prepare_launch(CUfunction function, Context& context, const LaunchSizes& sizes,
                                                     void** params, void** extra);

}  // namespace kiln::emulator
