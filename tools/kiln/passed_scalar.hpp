// Scalars of the command line as the kernel takes them.
#pragma once

#include "kernel_call.hpp"

namespace kiln::tool {

/// The argument as a value of the parameter's type, or as its own where that is not known. `parameter` is null where
/// the code tells none. Throws ArgumentError, in a launch's words, where the type cannot hold it.
PassedArgument passed_scalar(const std::string& kernel, const RunArgument& argument, const ScalarArgument& scalar,
                             const Parameter* parameter);

}  // namespace kiln::tool
