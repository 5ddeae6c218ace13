// From what a program loads to the PTX text in it.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::emulator {

/// The text: PTX itself, or the best for the devices in a fatbin (or in the wrapper that nvcc makes around one). The
/// image is as long as its own header says, or ends with a zero byte. Throws CallError: CUDA_ERROR_NO_BINARY_FOR_GPU
/// for machine code and where there is no PTX that fits, CUDA_ERROR_INVALID_IMAGE for anything else.
std::string ptx_of_image(const void* image);
/// The same for an image of known size (whose PTX needs no zero byte).
std::string ptx_of_bytes(std::string_view bytes);

}  // namespace kiln::emulator
