// What is known of a kernel, and what may be set.
#pragma once

#include "emulator/provider/code/function.hpp"

namespace kiln::emulator {

/// Throws CallError(CUDA_ERROR_INVALID_VALUE) for an attribute that is not known.
int function_attribute(const FunctionState& function, CUfunction_attribute attribute);
/// Throws CallError for one that cannot be set, and for a value that the device does not take.
void set_function_attribute(const FunctionState& function, CUfunction_attribute attribute, int value);
/// A parameter's place. Throws CallError(CUDA_ERROR_INVALID_VALUE) where there is none of that number.
ParamPlace parameter(const FunctionState& function, std::size_t number);

}  // namespace kiln::emulator
