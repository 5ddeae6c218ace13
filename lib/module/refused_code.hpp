// Errors of loads: whose code it is, for which devices, of which versions, and what to do.
#pragma once

#include "compile/code/code_data.hpp"

#include <string>

namespace kiln {

/// Linked, not compiled.
bool is_linked(const CodeData& code);

/// Whether devices of this compute capability (90) can run the code; true for a fatbin, of which the driver picks.
bool runs_on(const CodeData& code, int capability);

/// Throws the NoKernelImageError for code that `runs_on` refuses, or that is machine code where the driver takes none.
[[noreturn]] void throw_cannot_run(const CodeData& code, int device);

/// Throws for a call that did not load the code: NoKernelImageError where the device can run none of it, else
/// DriverError. `log` is the driver's compiler's.
[[noreturn]] void throw_refused_code(const CodeData& code, int device, int result, const char* call,
                                     const std::string& log);

}  // namespace kiln
