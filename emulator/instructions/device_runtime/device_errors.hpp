// The texts of cudaGetErrorName and cudaGetErrorString in kernels.
#pragma once

#include <cstdint>

namespace kiln::emulator {

/// The addresses of the texts, in memory that every kernel can read; 0 if there is no memory for them.
std::uint64_t device_error_name(std::int32_t error);
std::uint64_t device_error_text(std::int32_t error);

}  // namespace kiln::emulator
