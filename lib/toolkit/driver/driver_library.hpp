// Which library provides the driver API, and opening it.
#pragma once

#include "base/shared_library.hpp"

#include <string>

namespace kiln {

struct DriverChoice {
  /// A path or a name for the loader; "emulator"; empty for NVIDIA's own driver.
  std::string name;
  /// Who chose, for error texts: "use_driver" or "KILN_DRIVER"; empty for the default.
  std::string chooser;
};

/// The choice that the environment makes.
DriverChoice driver_choice_of_environment();

/// Whether neither use_driver nor KILN_DRIVER names a library.
bool nvidia_driver_is_chosen() noexcept;

/// Throws ToolkitError that lists what was searched.
SharedLibrary open_driver_library(const DriverChoice& choice);

}  // namespace kiln
