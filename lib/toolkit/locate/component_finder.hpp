// Where the parts of CUDA are that Kiln needs beside NVRTC: the linker, NVVM and the device libraries.
#pragma once

#include "toolkit/locate/toolkit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What was found, and every place that was looked at, in order, in words. Nothing is opened.
struct ComponentSearch {
  std::optional<std::string> path;
  std::vector<std::string> searched;
};

/// libnvJitLink. First beside the toolkit's NVRTC, whose version it should have, then as find_toolkit() goes: the
/// toolkit's root, named and default roots, NVIDIA's wheels of CUDA 13 and 12, the loader's path.
ComponentSearch look_for_nvjitlink(const Toolkit& toolkit, const ToolkitSearch& search);
/// libnvvm.
ComponentSearch look_for_nvvm(const Toolkit& toolkit, const ToolkitSearch& search);
/// libdevice.10.bc: the mathematical functions for NVVM IR, as bitcode.
ComponentSearch look_for_libdevice(const Toolkit& toolkit, const ToolkitSearch& search);
/// lib<name>.a, such as "cudadevrt". The name may not contain a slash: throws Error.
ComponentSearch look_for_device_library(const std::string& name, const Toolkit& toolkit, const ToolkitSearch& search);

/// The same on this machine, by current_toolkit() and the environment.
std::optional<std::string> find_nvjitlink();
std::optional<std::string> find_nvvm();
std::optional<std::string> find_libdevice();
std::optional<std::string> find_device_library(const std::string& name);

/// The same, but throws ToolkitError with the searched places and how to install what is missing.
std::string require_nvjitlink();
std::string require_nvvm();
std::string require_libdevice();
std::string require_device_library(const std::string& name);

/// How to install it, for error texts.
std::string nvjitlink_advice();
std::string nvvm_advice();

}  // namespace kiln
