// From a code object to an image that a device can run.
#pragma once

#include "module/image.hpp"

#include <kiln/module.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Code and its image. The code may differ from the requested code: made again for the device, or because the driver
/// rejected the cached code.
struct LoadedCode {
  CodeObject code;
  std::shared_ptr<Image> image;
};

/// How a module makes its code once more, for devices of an architecture ("sm_90"): where its device cannot run it, and
/// where the driver refused what the cache held. Empty: as the code itself knows, by its Recipe or CodeData::relink.
using Recompile = std::function<CodeObject(const std::string& device_arch)>;

/// Compiles for a device, or as kiln::compile does where there is none.
CodeObject compile_for_device(std::string_view source, const CompileOptions& options, std::optional<int> device);

/// Loads for a device. Code that the device cannot run is made again for it where its arch was left to Kiln, and cached
/// code that the driver refuses is discarded and made again, once. Throws NoKernelImageError, and what Image does.
LoadedCode load_code(CodeObject code, int device, const Recompile& recompile = {});

/// As Module::from_bytes(); errors call the code `name`.
Module module_of_file(std::string bytes, const std::string& name);

}  // namespace kiln
