// A checked launch, with a copy of its parameters.
#pragma once

#include "emulator/machine/launch.hpp"

#include <cuda.h>

#include <memory>
#include <optional>

namespace kiln::emulator {

class Context;
struct FunctionState;

struct PreparedLaunch {
  std::shared_ptr<FunctionState> function;  // keeps the image alive
  LaunchRequest request;

  /// Runs the grid. The report of a failure goes to the log.
  CUresult run() const;
};

struct LaunchSizes {
  Dim3 grid, block;
  unsigned shared_bytes = 0;
  bool cooperative = false;
  std::optional<Dim3> cluster = std::nullopt;  // as the launch states it
};
/// The sizes of a launch, and the same launch with other sizes.
LaunchSizes sizes_of(const PreparedLaunch& launch);
std::shared_ptr<const PreparedLaunch> with_sizes(const PreparedLaunch& launch, const LaunchSizes& sizes);
/// Checks a launch as the driver does, and copies the parameters. A CUkernel runs in `context`. Throws CallError.
std::shared_ptr<const PreparedLaunch> prepare_launch(CUfunction function, Context& context, const LaunchSizes& sizes,
                                                     void** params, void** extra);

}  // namespace kiln::emulator
