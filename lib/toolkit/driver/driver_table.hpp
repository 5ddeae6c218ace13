// Filling the table of driver functions from a library.
#pragma once

#include "base/shared_library.hpp"
#include "toolkit/driver/driver.hpp"

namespace kiln {

/// Fills every member of the table; no function but the version's is called. Throws ToolkitError that names the first
/// missing function.
void bind_driver(const SharedLibrary& library, Driver& driver);

}  // namespace kiln
