// Whether a launch's attributes can be had.
#pragma once

#include "launch/launch_limits.hpp"

namespace kiln {

/// Throws ArgumentError where the kernel, its device (which must be the current one) or the driver cannot do what the
/// configuration needs; also where the kernel's own cluster size does not fit. Allows the kernel clusters of more than
/// 8 blocks where it needs them. Dynamic shared memory must have been allowed before.
void check_attributes(const LaunchConfig& config, const KernelOnDevice& kernel);

/// Throws ArgumentError about the programmatic event, where the driver rejected a launch in which all else is right:
/// nothing shows beforehand whether an event has timing.
[[noreturn]] void throw_refused_event(int result, const KernelOnDevice& kernel);

/// The requested attributes, for an error text: "; attributes: cluster 2x1x1, cooperative". Empty where there are none.
std::string describe_attributes(const LaunchAttributes& attributes);

/// The launches that this thread has checked already, so that a repeated one pays for a look-up only. The few last ones
/// are stored; streams and the address of a window, which the checks do not read, may differ. `kernel` names the kernel
/// for as long as the process lives.
bool was_checked(const LaunchConfig& config, std::uint64_t kernel, int device) noexcept;
void note_checked(const LaunchConfig& config, std::uint64_t kernel, int device) noexcept;

}  // namespace kiln
