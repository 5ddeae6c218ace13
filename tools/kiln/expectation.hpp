// What a vector was to be after the launch, and what of it was never written.
#pragma once

#include "npy_file.hpp"

#include <kiln/driver_types.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

struct Difference {
  std::size_t element;  // counted in the order of memory
  std::string value;
  std::string expected;
};

struct Comparison {
  std::size_t argument = 0;
  std::string file;
  bool is_captured = false;  // the file is what a capture's program computed
  std::size_t different = 0;
  /// NaN where one of the different ones is none that can be subtracted.
  long double largest = 0;
  std::vector<Difference> first;  // the first of them

  bool matches() const noexcept { return different == 0; }
};

/// As numpy.allclose: |value - expected| <= tolerance + tolerance * |expected|, and NaN is like NaN, an infinity like
/// itself alone. Whole numbers beside whole numbers must be equal, whatever the tolerance. Shapes must be the same.
Comparison compare(const Array& values, const Array& expected, long double tolerance);

/// "[2, 3]": where the element of that number is.
std::string element_place(const std::vector<std::size_t>& shape, std::size_t element);

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
