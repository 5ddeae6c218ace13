#include "element_value.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace kiln::tool {

namespace {

template <class T>
T read_element(const void* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <class Signed, class Unsigned>
long double whole_value(const ElementType& type, const void* element) {
  if (type.is_signed) return static_cast<long double>(read_element<Signed>(element));
  return static_cast<long double>(read_element<Unsigned>(element));
}

/// long double has 64 bits for the digits at least, so that it holds every one of them.
long double whole_value(const ElementType& type, const void* element) {
  switch (type.size) {
    case 1:
      return whole_value<std::int8_t, std::uint8_t>(type, element);
    case 2:
      return whole_value<std::int16_t, std::uint16_t>(type, element);
    case 4:
      return whole_value<std::int32_t, std::uint32_t>(type, element);
    default:
      return whole_value<std::int64_t, std::uint64_t>(type, element);
  }
}
static_assert(std::numeric_limits<long double>::digits >= 64);

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  float magnitude = 0;
  if (exponent == 0x1f)
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  else
    magnitude = std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// A bfloat16 is the upper half of a float.
float bfloat16_value(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

float small_value(const ElementType& type, const void* element) {
  const auto bits = read_element<std::uint16_t>(element);
  return type.kind == ElementType::Kind::half ? half_value(bits) : bfloat16_value(bits);
}

/// As std::to_chars writes it, with more arguments of that or none. NaN has no sign, as that tells nothing.
template <class T, class... How>
std::string chars_of(T value, How... how) {
  if (std::isnan(value)) return "nan";
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, how...);
  return {text, end};
}

}  // namespace

std::complex<long double> element_value(const ElementType& type, const void* element) {
  const bool is_single = type.size == (type.kind == ElementType::Kind::complex ? 8 : 4);
  switch (type.kind) {
    case ElementType::Kind::boolean:
    case ElementType::Kind::integer:
      return whole_value(type, element);
    case ElementType::Kind::half:
    case ElementType::Kind::bfloat16:
      return static_cast<long double>(small_value(type, element));
    case ElementType::Kind::floating:
      return is_single ? static_cast<long double>(read_element<float>(element))
                       : static_cast<long double>(read_element<double>(element));
    case ElementType::Kind::complex:
      break;
  }
  if (is_single) return std::complex<long double>(read_element<std::complex<float>>(element));
  return std::complex<long double>(read_element<std::complex<double>>(element));
}

std::string element_text(const ElementType& type, const void* element) {
  const std::complex<long double> value = element_value(type, element);
  switch (type.kind) {
    case ElementType::Kind::boolean:
      return value.real() != 0 ? "true" : "false";
    case ElementType::Kind::integer:
      if (value.real() < 0) return std::to_string(static_cast<std::int64_t>(value.real()));
      return std::to_string(static_cast<std::uint64_t>(value.real()));
    case ElementType::Kind::half:
      return chars_of(static_cast<float>(value.real()), std::chars_format::general, 5);
    case ElementType::Kind::bfloat16:
      return chars_of(static_cast<float>(value.real()), std::chars_format::general, 4);
    case ElementType::Kind::floating:
      if (type.size == sizeof(float)) return chars_of(static_cast<float>(value.real()));
      return chars_of(static_cast<double>(value.real()));
    case ElementType::Kind::complex:
      break;
  }
  const auto part = [&](long double number) {
    return type.size == 8 ? chars_of(static_cast<float>(number)) : chars_of(static_cast<double>(number));
  };
  return "(" + part(value.real()) + ", " + part(value.imag()) + ")";
}

std::string figure_text(long double figure) {
  return chars_of(static_cast<double>(figure), std::chars_format::general, 6);
}

}  // namespace kiln::tool
