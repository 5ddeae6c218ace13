// Finds the PTX text in code that a program loads.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::emulator {

/// The PTX text: the code itself, or the best PTX for the devices in a fatbin (or in the wrapper that nvcc makes around
/// one). The image is as long as its header says, or ends with a zero byte. Throws CallError:
/// CUDA_ERROR_NO_BINARY_FOR_GPU for machine code and if no PTX fits, CUDA_ERROR_INVALID_IMAGE for anything else.
std::string ptx_of_image(const void* image);
/// The same for an image of known size (PTX then needs no zero byte).
std::string ptx_of_bytes(std::string_view bytes);

}  // namespace kiln::emulator
