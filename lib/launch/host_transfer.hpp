// Host memory that goes with a launch: In, Out and InOut.
#pragma once

#include "launch/kernel.hpp"
#include "memory/context.hpp"

#include <kiln/host_argument.hpp>
#include <kiln/launch_config.hpp>

namespace kiln {

/// The device memory of a call's host arguments, and the copies, all in one stream. Whatever fails, nothing stays
/// allocated, and no copy touches the host's memory once the object is destroyed.
class HostTransfer {
 public:
  HostTransfer(CUstream stream, const detail::HostSlots& slots);
  /// Where finish() was not reached, or failed: waits for the stream and frees.
  ~HostTransfer();
  HostTransfer(const HostTransfer&) = delete;
  HostTransfer& operator=(const HostTransfer&) = delete;

  /// Allocates, and copies to the device.
  void begin();
  /// Copies to the host, and frees; returns when that is done if it is to wait.
  void finish(bool wait);

 private:
  void allocate(detail::HostSlot& slot);
  int free(detail::HostSlot& slot) noexcept;

  ContextGuard guard_;  // the stream decides the device
  CUstream stream_;
  detail::HostSlots slots_;
  bool begun_ = false;
};

/// Launches, with arguments that were checked and some of which point to slots.
void launch_with_slots(Kernel& kernel, const LaunchConfig& config, void** arguments, const detail::HostSlots& slots,
                       bool wait);

/// Launches, with arguments that were checked, and waits; the kernel's seconds, without those of the slots' copies.
double timed_launch(Kernel& kernel, const LaunchConfig& config, void** arguments, const detail::HostSlots& slots);

}  // namespace kiln
