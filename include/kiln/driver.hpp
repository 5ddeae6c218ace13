// The choice of the library that provides the CUDA driver API.
#pragma once

#include <kiln/export.hpp>

#include <string>

namespace kiln {

/// Names the library that provides the driver API, as KILN_DRIVER does: a path, or a name for the loader. To be called
/// before the driver is first needed; afterwards another choice throws Error. Safe to call from any thread. PyCUDA,
/// which is linked with the driver, has no counterpart.
KILN_EXPORT void use_driver(const std::string& name_or_path);

}  // namespace kiln
