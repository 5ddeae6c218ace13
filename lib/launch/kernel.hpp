// Kernel: what all copies of a Function share.
#pragma once

#include "toolkit/driver.hpp"

#include <kiln/code_object.hpp>
#include <kiln/function.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kiln {

/// Thread-safe. Knows how to get its handle for a device, and which signatures fit it.
class Kernel {
 public:
  /// Returns the kernel's handle on a device, loading its module there where needed; throws where that fails. The
  /// function also keeps the module alive.
  using Loader = std::function<CUkernel(int device)>;

  /// `info` holds the parameters as the code tells them. Where `parameters_known` is false (a fatbin), the driver is
  /// asked at the first check.
  Kernel(KernelInfo info, bool parameters_known, Loader loader);

  const KernelInfo& info() const noexcept { return info_; }
  const std::vector<Parameter>& parameters();

  /// Loads for a device now: finds the handle, and has the driver load the code (cuKernelGetFunction) there.
  void preload(int device);
  /// The handle for a device, loaded where needed.
  CUkernel handle(int device);

  void check(const detail::Signature& signature);
  void check_types(const detail::Signature& signature);
  void launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature);

 private:
  KernelInfo info_;
  Loader loader_;
};

}  // namespace kiln
