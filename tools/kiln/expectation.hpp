// What a vector was to be after the launch.
#pragma once

#include "npy_file.hpp"

#include <cstddef>
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

}  // namespace kiln::tool
