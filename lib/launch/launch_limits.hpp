// What a device and a kernel allow of a launch. Asked only where a launch is unusual or was refused.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <kiln/launch_config.hpp>

#include <cstddef>
#include <string>

namespace kiln {

class KernelCode;

/// A kernel on a device, with the name to show.
struct KernelOnDevice {
  const std::string& name;
  CUkernel kernel;
  int device;
  KernelCode* code = nullptr;  // for errors of a launch
  /// Any CUfunction_attribute. Throws DriverError.
  int attribute(CUfunction_attribute attribute) const;
  void set_attribute(CUfunction_attribute attribute, int value) const;

 private:
  std::string about(CUfunction_attribute attribute) const;
};

/// "64x1x1".
std::string text_of(const Dim3& size);

/// Throws ArgumentError about the launch as a whole: "kernel K: what: expected E, given G" and the advice.
[[noreturn]] void throw_limit(const std::string& kernel, const std::string& what, const std::string& expected,
                              const std::string& given, const std::string& advice);

/// The dynamic shared memory that every device allows without asking, beside what the kernel has already.
constexpr std::size_t shared_without_asking = std::size_t{48} * 1024;

/// Throws ArgumentError where a dimension of the grid or the block is 0, or the block is left out.
void check_no_zero(const LaunchConfig& config, const std::string& kernel_name);
/// The same, and where grid or block is more than the device takes, or the block more than the kernel does.
void check_limits(const LaunchConfig& config, const KernelOnDevice& kernel);
/// Why a launch may lack device memory: the driver reserves a kernel's local memory for all threads that the device can
/// hold. Empty for a kernel without local memory.
std::string local_memory_hint(const KernelOnDevice& kernel);
/// The most dynamic shared memory in bytes that a launch of the kernel can have.
std::size_t most_shared_memory(const KernelOnDevice& kernel);
/// Has the driver allow `bytes` of dynamic shared memory. Returns how much is allowed now, at least `bytes`. Throws
/// ArgumentError where that is more than the device has.
std::size_t allow_shared_memory(std::size_t bytes, const KernelOnDevice& kernel);

/// "grid 64x1x1, block 256x1x1, 0 bytes of dynamic shared memory, stream 0x0 (the default)".
std::string describe(const LaunchConfig& config);

}  // namespace kiln
