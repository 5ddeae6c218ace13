// Contexts: which device the calling thread is on.
#pragma once

#include "memory/relaxed_capture.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/driver_extras.hpp"

namespace kiln {

/// The calling thread's current context; where it has none, device 0's primary context, retained once a process (never
/// released) and made current. Throws ToolkitError or DriverError.
CUcontext require_context();

/// The ordinal of the calling thread's current device (require_context first).
int current_device();

/// The context of a stream; for null the calling thread's (require_context first).
CUcontext stream_context(CUstream stream);

/// The device of a stream's context; the current device for null.
int stream_device(CUstream stream);

/// The device's primary context, retained once a process, never released.
CUcontext primary_context(int device);

/// Whether a context is the device's primary one. Makes none.
bool is_primary(CUcontext context, int device);

/// Makes a context current for the object's life, and puts the former one (or none) back.
class ContextGuard {
 public:
  /// The device's primary context.
  explicit ContextGuard(int device) : ContextGuard(primary_context(device)) {}
  explicit ContextGuard(CUcontext context);
  ~ContextGuard();
  ContextGuard(const ContextGuard&) = delete;
  ContextGuard& operator=(const ContextGuard&) = delete;

 private:
  CUcontext former_ = nullptr;
  bool changed_ = false;
};

/// Makes a driver call. Where the driver says that the thread has no context, gives it one and calls again: so the
/// usual call pays for no look-up.
template <class Call>
int with_context(Call call) {
  const int result = call();
  if (result != CUDA_ERROR_INVALID_CONTEXT) return result;
  require_context();
  return call();
}

/// For destructors: makes a driver call that releases something, from a thread that may have no context, and while
/// streams are captured. Never throws; does nothing in a forked child, and takes no notice of a driver that is shutting
/// down.
void release(CUstream stream) noexcept;
void release(CUevent event) noexcept;
void release(CUdeviceptr pointer) noexcept;
/// Memory of a stream-ordered pool, in the order of `stream`.
void release(CUdeviceptr pointer, CUstream stream) noexcept;
/// Page-locked memory, and the page lock of memory that is the user's own.
void release_host(void* pointer) noexcept;
void unregister_host(void* pointer) noexcept;

/// The same for objects whose handle means something in their own context only, with the drivers' rarer functions.
template <class Call>
void release_in(CUcontext context, Call call) noexcept {
  const DriverExtras* driver = DriverExtras::if_open();
  if (driver == nullptr) return;
  const RelaxedCapture relaxed;
  try {
    const ContextGuard guard(context);
    (void)call(*driver);
  } catch (...) {  // the context was destroyed, and the object with it
  }
}

/// Compute capability as an integer (90); queried once per device and process.
int device_compute_capability(int device);
/// How many devices, and whether they all have one compute capability; queried once per process.
int device_count();
bool devices_are_alike();

}  // namespace kiln
