// What decides about a compile beside its source and options.
#pragma once

#include "compile/options/arch.hpp"

#include <kiln/compile_options.hpp>

#include <string>

namespace kiln {

/// What the caller of a compile knows beyond source and options.
struct CompileContext {
  std::string device_arch = {};  // the device's, such as "sm_90"; empty where there is none
  bool loads_cubin = true;       // false: the driver takes PTX only
  bool plain = false;            // nvcc with these options alone: no defaults, no architecture
};

/// Whether the device decides what to compile for, unless an option names an architecture.
inline bool is_for_device(const CompileOptions& options) { return options.arch.empty() || is_native(options.arch); }

}  // namespace kiln
