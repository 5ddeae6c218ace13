// Image: code as the driver has loaded it, one CUlibrary.
#pragma once

#include "compile/code/code_data.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/module.hpp>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace kiln {

/// Serves every device that can run the code. Holds no copy of the code: the driver made its own. Thread-safe.
class Image {
 public:
  /// Loads for a device now; other devices' loads are the driver's business. Throws DriverError where it refuses the
  /// code, NoKernelImageError where that is because the device can run none of it.
  Image(const std::shared_ptr<const CodeData>& code, int device);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  /// Null where the code holds no such kernel.
  CUkernel find_kernel(const std::string& symbol) const;
  /// The variable in the current context; nothing where the code holds none of that symbol.
  std::optional<GlobalVariable> find_global(const std::string& symbol) const;
  /// The kernels' symbols, as the driver lists them. Throws DriverError where it cannot (before CUDA 12.4).
  std::vector<std::string> kernel_symbols() const;

 private:
  struct JitLog;
  /// The result of a query of the loaded code: for a fatbin some drivers report only then that it has nothing for the
  /// device.
  void check(int result, const char* call, const std::string& context = {}) const;

  /// Does nothing when the driver is shutting down, and in a fork of the process that uses it.
  struct Unload {
    void operator()(CUlibrary library) const noexcept;
  };

  const std::weak_ptr<const CodeData> code_;  // for texts: the caller keeps it alive
  const int device_;
  std::unique_ptr<JitLog> log_;  // outlives the library: the driver may write to it whenever it compiles PTX
  std::unique_ptr<std::remove_pointer_t<CUlibrary>, Unload> library_;
};

/// Of the device, as an option spells it: "sm_90".
std::string device_arch(int device);

/// Whether the result says that the code itself is bad, so that making it anew may help.
bool refuses_code(int result) noexcept;

}  // namespace kiln
