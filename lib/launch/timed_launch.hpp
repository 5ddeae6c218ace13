// Launches whose time on the device is told.
#pragma once

#include "launch/kernel.hpp"

#include <kiln/host_argument.hpp>
#include <kiln/launch_config.hpp>

namespace kiln {

/// Launches, with arguments that were checked, and waits; the kernel's seconds, without those of the slots' copies.
double timed_launch(Kernel& kernel, const LaunchConfig& config, void** arguments, const detail::HostSlots& slots);

}  // namespace kiln
