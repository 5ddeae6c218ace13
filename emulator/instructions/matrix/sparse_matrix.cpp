#include "emulator/instructions/matrix/sparse_matrix.hpp"

#include "emulator/machine/fault.hpp"

#include <string>

namespace kiln::emulator {
namespace {

constexpr unsigned rows_of_warp = 16;

struct MetadataPlace {
  unsigned lane, bit;
};

// As the PTX manual draws it: four lanes hold the metadata of rows r and r + 8. One or two of them hold 16 bits of both
// rows each; two or four of them, with elements of 8 and 4 bits, hold 32 bits of one row each.
MetadataPlace metadata_place(unsigned row, unsigned bit, unsigned bits, bool is_small, unsigned selector) {
  const unsigned first = row % 8 * 4, half = row / 8;
  if (bits == 64) return {first + half + bit / 32 * 2, bit % 32};
  if (bits == 32 && is_small) return {first + 2 * selector + half, bit};
  const unsigned lanes = bits / 16;
  return {first + lanes * selector + bit / 16, bit % 16 + 16 * half};
}

// Four bits of metadata: two indices. Of tf32, one element is two halves with indices of their own.
void append_columns(MatrixElement element, unsigned nibble, unsigned low, unsigned high,
                    std::vector<std::uint16_t>& columns) {
  const auto append = [&](unsigned column) { columns.push_back(static_cast<std::uint16_t>(column)); };
  switch (element_width(element)) {
    case 32:
      append(2 * nibble + low / 2);
      break;
    case 4:  // an index is of a pair
      for (const unsigned index : {low, high})
        for (unsigned i = 0; i < 2; ++i) append(8 * nibble + 2 * index + i);
      break;
    default:
      append(4 * nibble + low);
      append(4 * nibble + high);
  }
}

}  // namespace

unsigned metadata_bits(MatrixElement element, unsigned columns) {
  switch (element_width(element)) {
    case 32:
      return 2 * columns;
    case 4:
      return columns / 2;
    default:
      return columns;
  }
}

std::vector<std::uint16_t> sparse_columns(MatrixElement element, unsigned columns, const Warp& warp, Slot metadata,
                                          unsigned selector) {
  const unsigned bits = metadata_bits(element, columns), width = element_width(element);
  std::vector<std::uint16_t> found;
  found.reserve(std::size_t{rows_of_warp} * columns / 2);
  for (unsigned row = 0; row < rows_of_warp; ++row)
    for (unsigned nibble = 0; nibble < bits / 4; ++nibble) {
      const auto [lane, bit] = metadata_place(row, 4 * nibble, bits, width <= 8, selector);
      const unsigned word = warp.value<std::uint32_t>(metadata, lane) >> bit, low = word & 3u, high = (word >> 2) & 3u;
      if (low == high || (width == 32 && (low % 2 != 0 || high != low + 1)))
        throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, lane,
                    "has the metadata " + std::to_string(word & 15u) + " for four elements of row " +
                        std::to_string(row) + " of a sparse matrix, which names no two of them");
      append_columns(element, nibble, low, high, found);
    }
  return found;
}

}  // namespace kiln::emulator
