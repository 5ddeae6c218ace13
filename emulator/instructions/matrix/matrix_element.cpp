#include "emulator/instructions/matrix/matrix_element.hpp"

#include "emulator/numbers/exact.hpp"
#include "emulator/numbers/half.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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

}  // namespace kiln::emulator
