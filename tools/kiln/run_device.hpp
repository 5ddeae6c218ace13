// The device that a command launches on.
#pragma once

#include "commands.hpp"

namespace kiln::tool {

/// Opens the driver, or the emulator, whose variables say before that what to look for (KILN_EMULATOR_CHECK) and what
/// to count (KILN_EMULATOR_PROFILE). Throws ToolkitError, which names the way out, where there is no device.
void open_device(const RunArguments& arguments);

}  // namespace kiln::tool
