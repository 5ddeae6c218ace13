// Attributes of a launch, of cuLaunchKernelEx and of graphs' nodes.
#pragma once

#include "emulator/provider/launch.hpp"

namespace kiln::emulator {

/// Those that say how the launch runs go into the sizes; hints are taken. Throws CallError(CUDA_ERROR_NOT_SUPPORTED)
/// for what the emulator cannot do.
void take_attribute(LaunchSizes& sizes, CUlaunchAttributeID id, const CUlaunchAttributeValue& value);
/// Events that the launch records: when all of it is done, which is also when its blocks have triggered them.
void record_events(const CUlaunchConfig& config);

}  // namespace kiln::emulator
