// Elements of an output that a launch left as they were.
#pragma once

#include "npy_file.hpp"

#include <kiln/driver_types.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace kiln::tool {

struct NeverWritten {
  std::size_t count = 0;  // elements, no byte of which was written
  std::size_t first = 0;
  std::size_t in_part = 0;  // elements, some bytes of which were
  std::size_t first_in_part = 0;
  bool is_certain = true;  // else they have all bits set, as before the launch, and may have been written so
};

/// Has the emulator follow what kernels write into this memory from now on. False where the device is a GPU, which does
/// not tell.
bool follow_writes(CUdeviceptr address, std::size_t bytes);

/// Of the memory behind an array that was fetched; every byte was 0xff before the launch. Nothing where all was
/// written.
std::optional<NeverWritten> never_written(const Array& array, CUdeviceptr address, bool is_followed);

/// "500 of 1000 elements were never written, the first is [1]".
std::string never_written_text(const NeverWritten& elements, const Array& array);

}  // namespace kiln::tool
