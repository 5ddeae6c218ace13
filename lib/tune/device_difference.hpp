// Whether two memories of the device differ, found out by the device.
#pragma once

#include <kiln/device_buffer.hpp>
#include <kiln/function.hpp>
#include <kiln/module.hpp>

#include <cstddef>

namespace kiln {

/// By the rule of element_difference. A result of 200 MB takes a device 0.1 ms, and the host most of a second, for
/// each candidate. For one thread, with the stream's context current.
class DeviceDifference {
 public:
  /// Compiles its kernels, or finds them in the cache.
  explicit DeviceDifference(CUstream stream);

  /// Waits for the stream.
  bool differ(CUdeviceptr given, CUdeviceptr wanted, std::size_t bytes, const detail::Pointee& element,
              double tolerance);

 private:
  CUstream stream_;
  Module module_;
  DeviceBuffer<int> found_;
};

}  // namespace kiln
