// Launch attributes, of cuLaunchKernelEx and of graph nodes.
#pragma once

#include "emulator/provider/stream/event.hpp"
#include "emulator/provider/stream/launch.hpp"

#include <memory>
#include <vector>

namespace kiln::emulator {

/// Applies attributes that change how the launch runs to the sizes, and ignores hints. Throws
/// CallError(CUDA_ERROR_NOT_SUPPORTED) for what the emulator does not support.
void take_attribute(LaunchSizes& sizes, CUlaunchAttributeID id, const CUlaunchAttributeValue& value);
/// The events that the launch records. Throws CallError(CUDA_ERROR_INVALID_VALUE) for an event with timing.
std::vector<std::shared_ptr<EventState>> events_of(const CUlaunchConfig& config);

}  // namespace kiln::emulator
