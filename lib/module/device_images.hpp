// DeviceImages: one code object on all devices that use it.
#pragma once

#include "module/load.hpp"

#include <mutex>
#include <optional>
#include <vector>

namespace kiln {

/// What a Kernel keeps alive of its module. Thread-safe.
class DeviceImages {
 public:
  /// Loads for `device` where there is one.
  DeviceImages(CodeObject code, std::optional<int> device, Recompile recompile = {});

  /// The code that was given, or what was made in its place for the first device.
  const CodeObject& code() const noexcept { return code_; }
  /// The image for a device, loaded where needed. Lives as long as this object.
  Image& image(int device);

 private:
  CodeObject code_;
  const Recompile recompile_;
  std::mutex mutex_;
  std::vector<LoadedCode> loaded_;  // for different architectures
};

/// The current device; nothing where there is no driver or no device, and in a fork of a process that used it.
std::optional<int> usable_device();

}  // namespace kiln
