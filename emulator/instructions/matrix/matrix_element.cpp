#include "emulator/instructions/matrix/matrix_element.hpp"

#include "emulator/machine/fault.hpp"
#include "emulator/numbers/exact.hpp"
#include "emulator/numbers/half.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace kiln::emulator {

namespace {

struct ElementRow {
  std::string_view name;
  unsigned bits;
};
constexpr ElementRow elements[] = {
    {"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"f32", 32}, {"f64", 64}, {"e4m3", 8}, {"e5m2", 8},
    {"s32", 32}, {"s8", 8},    {"u8", 8},    {"s4", 4},   {"u4", 4},   {"b1", 1},
};

float float_of_tf32(std::uint32_t bits) { return std::bit_cast<float>(bits & 0xFFFFE000u); }

/// e5m2 is the upper byte of an f16.
double small_float(MatrixElement element, std::uint8_t bits) {
  if (element == MatrixElement::e5m2) return float_of_half(static_cast<std::uint16_t>(bits << 8));
  if ((bits & 0x7Fu) == 0x7Fu) return std::numeric_limits<double>::quiet_NaN();
  // As an f16 its exponent is too small by the difference of the biases, also of subnormal values.
  return 256 * float_of_half(static_cast<std::uint16_t>((bits & 0x80u) << 8 | (bits & 0x7Fu) << 7));
}

}  // namespace

std::optional<MatrixElement> element_named(std::string_view name) {
  const auto* const row =
      std::find_if(std::begin(elements), std::end(elements), [&](const ElementRow& each) { return each.name == name; });
  if (row == std::end(elements)) return std::nullopt;
  return static_cast<MatrixElement>(row - std::begin(elements));
}

unsigned element_width(MatrixElement element) { return elements[static_cast<std::size_t>(element)].bits; }

double element_value(MatrixElement element, std::uint64_t bits) {
  switch (element) {
    case MatrixElement::f16:
      return float_of_half(static_cast<std::uint16_t>(bits));
    case MatrixElement::bf16:
      return float_of_bfloat(static_cast<std::uint16_t>(bits));
    case MatrixElement::tf32:
      return float_of_tf32(static_cast<std::uint32_t>(bits));
    case MatrixElement::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case MatrixElement::f64:
      return std::bit_cast<double>(bits);
    case MatrixElement::s32:
      return static_cast<std::int32_t>(bits);
    case MatrixElement::s8:
      return static_cast<std::int8_t>(bits);
    case MatrixElement::s4:
      return static_cast<double>(bits & 7u) - static_cast<double>(bits & 8u);
    case MatrixElement::u8:
    case MatrixElement::u4:
    case MatrixElement::b1:
      return static_cast<double>(bits);
    default:
      return small_float(element, static_cast<std::uint8_t>(bits));
  }
}

std::uint64_t element_bits(MatrixElement element, double value, bool saturate) {
  switch (element) {
    case MatrixElement::f16:
      return narrowed<F16>(value);
    case MatrixElement::f32:
      return std::isnan(value) ? F32::nan : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case MatrixElement::f64:
      return std::isnan(value) ? F64::nan : std::bit_cast<std::uint64_t>(value);
    default:
      break;
  }
  if (saturate)
    value =
        std::clamp<double>(value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

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
