// Arrays in NumPy's file format, .npy: versions 1.0 to 3.0 are read, 1.0 is written.
#pragma once

#include "toolkit/names/element_type.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

/// As NumPy 1 has it.
inline constexpr std::size_t most_dimensions = 32;

struct Array {
  const ElementType* type = nullptr;
  std::vector<std::size_t> shape;  // the last dimension is the one whose elements lie side by side
  std::string bytes;               // of all elements

  /// The product of the shape, which fits: else there would be no such array.
  std::size_t count() const noexcept { return bytes.size() / type->size; }
  const char* element(std::size_t index) const noexcept { return bytes.data() + index * type->size; }
};

/// "float[2x3]".
std::string array_type_text(const ElementType& type, const std::vector<std::size_t>& shape);

/// The bytes of such an array; nothing where their number fits into no std::size_t.
bool array_bytes(const ElementType& type, const std::vector<std::size_t>& shape, std::size_t& bytes);

/// Throws Error with what is wrong with the file's bytes.
Array read_npy(std::string_view file);
/// A file of the array. Of bfloat16, which NumPy lacks, as float, which holds each of its values.
std::string write_npy(const Array& array);

}  // namespace kiln::tool
