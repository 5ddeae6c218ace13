#include "base/npy_header.hpp"

namespace kiln {

namespace {

/// "(2, 3)", "(2,)".
std::string shape_tuple(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (const std::size_t size : shape) text += std::to_string(size) + ", ";
  if (!shape.empty()) text.resize(text.size() - (shape.size() == 1 ? 1 : 2));
  return text + ")";
}

}  // namespace

std::string npy_header(std::string_view numpy, std::size_t element_size, const std::vector<std::size_t>& shape) {
  std::string header = element_size == 1 ? "{'descr': '|" : "{'descr': '<";
  header += std::string(numpy) + "', 'fortran_order': False, 'shape': " + shape_tuple(shape) + ", }";
  // The elements begin at a multiple of 64, as NumPy has it.
  header.append(63 - (npy_preamble + header.size()) % 64, ' ');
  header += '\n';
  std::string file(npy_magic);
  file += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return file + header;
}

}  // namespace kiln
