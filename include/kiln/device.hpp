// Device: one GPU, and what it can do.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace kiln {

/// A device by its ordinal: a value, which owns nothing. Converts to the driver's CUdevice. Every member may be called
/// from any thread. Every member but ordinal() throws ToolkitError where there is no driver and DriverError where a
/// call fails. Counterpart: pycuda.driver.Device.
class KILN_EXPORT Device {
 public:
  /// Throws ArgumentError where there is no such device. Counterpart: Device(number).
  explicit Device(int ordinal);
  /// The device of the calling thread's current context; device 0 where no context is current. Counterpart:
  /// Context.get_device.
  static Device current();
  /// How many devices there are, 0 without a driver. Never throws for a machine without a GPU. Counterpart:
  /// Device.count.
  static int count();

  int ordinal() const noexcept { return ordinal_; }  ///< the number by which the driver knows it, from 0
  /// Such as "NVIDIA H200". Counterpart: Device.name.
  std::string name() const;
  /// Major and minor, such as {9, 0}. Counterpart: Device.compute_capability.
  std::pair<int, int> compute_capability() const;
  /// As the compilers spell it, such as "sm_90".
  std::string arch() const;
  /// In bytes. Counterpart: Device.total_memory.
  std::size_t total_memory() const;
  /// Any CUdevice_attribute, by its number in cuda.h. Counterpart: Device.get_attribute.
  int attribute(int device_attribute) const;
  /// Makes this device's primary context (retained, never released) the calling thread's current one. Counterpart:
  /// Device.retain_primary_context with Context.push, cuCtxSetCurrent.
  void make_current() const;

  /// The ordinal.
  operator CUdevice() const noexcept { return ordinal_; }  // NOLINT(google-explicit-constructor)

 private:
  int ordinal_;
};

}  // namespace kiln
