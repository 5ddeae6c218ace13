// Device: one GPU, and what it can do.
#pragma once

#include <kiln/device_attribute.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <map>
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
  /// What names this device wherever it is plugged in, as 32 hexadecimal digits in groups, such as
  /// "8f3a1c2e-5b6d-4e7f-9a0b-1c2d3e4f5a6b". nvidia-smi and CUDA_VISIBLE_DEVICES have "GPU-" before it, "MIG-" for a
  /// part of a device. Counterpart: cuDeviceGetUuid.
  std::string uuid() const;
  /// Where it is plugged in: domain, bus, device and function, such as "0000:1B:00.0". Counterpart: Device.pci_bus_id.
  std::string pci_bus_id() const;
  /// An attribute by its name, or any CUdevice_attribute by its number in cuda.h. Throws DriverError
  /// (CUDA_ERROR_INVALID_VALUE) where it is newer than the driver. Counterpart: Device.get_attribute.
  /// @{
  int attribute(int device_attribute) const;
  int attribute(DeviceAttribute device_attribute) const { return attribute(static_cast<int>(device_attribute)); }
  /// @}
  /// All attributes that the driver knows, by their names in DeviceAttribute: attributes().at("warp_size").
  /// Counterpart: Device.get_attributes.
  std::map<std::string, int> attributes() const;
  /// Makes this device's primary context (retained, never released) the calling thread's current one. Counterpart:
  /// Device.retain_primary_context with Context.push, cuCtxSetCurrent.
  void make_current() const;

  /// The ordinal.
  operator CUdevice() const noexcept { return ordinal_; }  // NOLINT(google-explicit-constructor)

 private:
  int ordinal_;
};

}  // namespace kiln
