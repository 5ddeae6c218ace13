// Elements of an output that a launch left as they were.
#pragma once

#include "npy_file.hpp"

#include <kiln/driver_types.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace kiln::tool {

struct NeverWritten {
  std::size_t count = 0;  // elements of which no byte was written
  std::size_t first = 0;
  std::size_t in_part = 0;  // elements of which only some bytes were written
  std::size_t first_in_part = 0;
  bool is_certain = true;  // false: all their bits are set, as before the launch, but they may have been written so
};

/// Makes the emulator track writes of kernels to this memory from now on. False if the device is a GPU, which cannot do
/// that.
bool follow_writes(CUdeviceptr address, std::size_t bytes);

/// The unwritten elements of an array that was copied to the host; every byte was 0xff before the launch. Empty if all
/// were written.
std::optional<NeverWritten> never_written(const Array& array, CUdeviceptr address, bool is_followed);

/// "500 of 1000 elements were never written, the first is [1]".
std::string never_written_text(const NeverWritten& elements, const Array& array);

}  // namespace kiln::tool
