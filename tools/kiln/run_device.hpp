// The device that a command launches on.
#pragma once

#include <string>

namespace kiln::tool {

/// Opens the driver, or the emulator, which is told what to look for (KILN_EMULATOR_CHECK) before that. Throws
/// ToolkitError, which names the way out, where there is no device.
void open_device(bool emulator, const std::string& checks);

}  // namespace kiln::tool
