// Attributes of kernels.
#pragma once

#include "emulator/provider/code/function.hpp"

namespace kiln::emulator {

/// Throws CallError(CUDA_ERROR_INVALID_VALUE) for an unknown attribute.
int function_attribute(const FunctionState& function, CUfunction_attribute attribute);
/// Throws CallError for a read-only attribute, and for a value that the device does not support.
void set_function_attribute(const FunctionState& function, CUfunction_attribute attribute, int value);
/// The offset and size of a parameter. Throws CallError(CUDA_ERROR_INVALID_VALUE) for an index out of range.
ParamPlace parameter(const FunctionState& function, std::size_t number);

}  // namespace kiln::emulator
