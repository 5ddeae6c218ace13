// Attributes of a launch, of cuLaunchKernelEx and of graphs' nodes.
#pragma once

#include "emulator/provider/stream/event.hpp"
#include "emulator/provider/stream/launch.hpp"

#include <memory>
#include <vector>

namespace kiln::emulator {

/// Those that say how the launch runs go into the sizes; hints are taken. Throws CallError(CUDA_ERROR_NOT_SUPPORTED)
/// for what the emulator cannot do.
void take_attribute(LaunchSizes& sizes, CUlaunchAttributeID id, const CUlaunchAttributeValue& value);
/// The events that the launch records. Throws CallError(CUDA_ERROR_INVALID_VALUE) for one made with timing.
std::vector<std::shared_ptr<EventState>> events_of(const CUlaunchConfig& config);

}  // namespace kiln::emulator
