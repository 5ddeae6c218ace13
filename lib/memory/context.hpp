// Contexts: which device the calling thread is on.
#pragma once

#include "toolkit/driver.hpp"

namespace kiln {

/// The calling thread's current context; where it has none, device 0's primary context, retained once a process (never
/// released) and made current. Throws ToolkitError or DriverError.
CUcontext require_context();

/// The ordinal of the calling thread's current device (require_context first).
int current_device();

/// The device of a stream's context; the current device for null.
int stream_device(CUstream stream);

/// The device's primary context, retained once a process, never released.
CUcontext primary_context(int device);

/// Makes a device's primary context current for the object's life, and puts the former context back.
class ContextGuard {
 public:
  explicit ContextGuard(int device);
  ~ContextGuard();
  ContextGuard(const ContextGuard&) = delete;
  ContextGuard& operator=(const ContextGuard&) = delete;

 private:
  CUcontext former_ = nullptr;
};

/// Compute capability as an integer (90); asked once a device and process.
int device_compute_capability(int device);
/// How many devices, and whether they all have one compute capability; asked once a process.
int device_count();
bool devices_are_alike();

}  // namespace kiln
