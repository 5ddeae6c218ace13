// What decides about a compile beside its source and options.
#pragma once

#include "compile/options/arch.hpp"

#include <kiln/compile_options.hpp>

#include <cstddef>
#include <string>

namespace kiln {

/// What the caller of a compile knows beyond source and options.
struct CompileContext {
  std::string device_arch = {};  // the device's, such as "sm_90"; empty where there is none
  bool loads_cubin = true;       // false: the driver takes PTX only
  bool plain = false;            // nvcc with these options alone: no defaults, no architecture
  /// Compiles of the same batch that no worker can take yet. They decide about no code.
  std::size_t waiting = 0;
};

/// Whether the device decides what to compile for, unless an option names an architecture.
inline bool is_for_device(const CompileOptions& options) { return options.arch.empty() || is_native(options.arch); }

}  // namespace kiln
