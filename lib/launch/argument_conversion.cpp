#include "launch/argument_conversion.hpp"

#include "base/default_float_environment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace kiln {

namespace {

using Value = ArgumentCode::Value;

constexpr std::size_t largest_integer = sizeof(std::uint64_t);

struct Integer {
  bool negative = false;
  std::uint64_t bits = 0;  // two's complement
};

template <class T>
T read_as(const void* value) {
  T result;
  std::memcpy(&result, value, sizeof result);
  return result;
}

template <class Signed, class Unsigned>
std::uint64_t extended(const detail::ArgumentInfo& argument, const void* value) {
  if (argument.is_signed) return static_cast<std::uint64_t>(std::int64_t{read_as<Signed>(value)});
  return read_as<Unsigned>(value);
}

std::uint64_t extended(const detail::ArgumentInfo& argument, const void* value) {
  switch (argument.size) {
    case 1:
      return extended<std::int8_t, std::uint8_t>(argument, value);
    case 2:
      return extended<std::int16_t, std::uint16_t>(argument, value);
    case 4:
      return extended<std::int32_t, std::uint32_t>(argument, value);
    default:
      return read_as<std::uint64_t>(value);
  }
}

Integer read_integer(const detail::ArgumentInfo& argument, const void* value) {
  const std::uint64_t bits = extended(argument, value);
  return {argument.is_signed && bits >> 63 != 0, bits};
}

long double read_number(const detail::ArgumentInfo& argument, const void* value) {
  if (argument.kind == ParameterKind::integer) {
    const Integer integer = read_integer(argument, value);
    if (integer.negative) return static_cast<long double>(static_cast<std::int64_t>(integer.bits));
    return static_cast<long double>(integer.bits);
  }
  if (argument.size == sizeof(float)) return static_cast<long double>(read_as<float>(value));
  if (argument.size == sizeof(double)) return static_cast<long double>(read_as<double>(value));
  return read_as<long double>(value);
}

struct Range {
  std::int64_t least;
  std::uint64_t largest;
};

Range range_of(const ArgumentCode& code) {
  if (code.value == Value::boolean) return {0, 1};
  if (code.value == Value::character) return {-128, 255};
  const std::size_t bits = 8 * code.size;
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
  if (!code.is_signed) return {0, all};
  return {static_cast<std::int64_t>(~(all >> 1)), all >> 1};
}

bool convert_integer(const ArgumentCode& code, const Integer& integer, std::uint64_t& target) {
  const Range range = range_of(code);
  target = integer.bits;
  return integer.negative ? static_cast<std::int64_t>(integer.bits) >= range.least : integer.bits <= range.largest;
}

/// A binary format of 16 bits: half has 5 exponent and 10 fraction bits, bfloat16 8 and 7.
struct SmallFloat {
  int fraction_bits;
  int largest_exponent;
};
constexpr SmallFloat half_format = {10, 15};
constexpr SmallFloat bfloat16_format = {7, 127};

bool convert_small(const SmallFloat& format, long double number, std::uint64_t& target) {
  const DefaultFloatEnvironment environment;  // rounds to nearest, as CUDA's own conversions to these types
  const std::uint64_t sign = std::signbit(number) ? 0x8000 : 0;
  const std::uint64_t infinity = static_cast<std::uint64_t>(2 * format.largest_exponent + 1) << format.fraction_bits;
  if (std::isnan(number)) {
    target = sign | infinity | std::uint64_t{1} << (format.fraction_bits - 1);
    return true;
  }
  const long double magnitude = std::fabs(number);
  const int least_exponent = 1 - format.largest_exponent;  // of normal numbers; those below have its spacing
  const int exponent = magnitude == 0 ? least_exponent : std::max(std::ilogb(magnitude), least_exponent);
  if (std::isinf(number) || exponent > format.largest_exponent) {
    target = sign | infinity;
    return std::isinf(number);
  }
  // In units of the last place: carries run into the exponent's bits by themselves.
  const auto units = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent)));
  const std::uint64_t biased = static_cast<std::uint64_t>(exponent - least_exponent) << format.fraction_bits;
  target = sign | (biased + units);
  return biased + units < infinity;
}

template <class T>
bool convert_floating(long double number, std::uint64_t& target) {
  const T converted = static_cast<T>(number);
  target = 0;
  std::memcpy(&target, &converted, sizeof converted);
  return std::isfinite(converted) || !std::isfinite(number);
}

bool is_number(const detail::ArgumentInfo& argument) {
  return (argument.kind == ParameterKind::integer && argument.size <= largest_integer) ||
         argument.kind == ParameterKind::floating;
}

}  // namespace

Fit fit(const ArgumentCode& code, const detail::ArgumentInfo& argument) noexcept {
  const bool same_size = code.size == argument.size;
  const bool is_object = argument.kind == ParameterKind::other;
  const auto exact_if = [](bool exact, bool convertible) {
    return exact ? Fit::exact : convertible ? Fit::by_conversion : Fit::never;
  };
  const bool is_integer = argument.kind == ParameterKind::integer;
  switch (code.value) {
    case Value::pointer:
      return exact_if(argument.may_be_pointer, false);
    case Value::integer:
      return exact_if(is_integer && same_size && argument.is_signed == code.is_signed,
                      is_integer && argument.size <= largest_integer);
    case Value::boolean:
      return exact_if(*argument.type == typeid(bool), is_integer && argument.size <= largest_integer);
    case Value::character:
      return exact_if(is_integer && same_size, is_integer && argument.size <= largest_integer);
    case Value::floating:
      return exact_if(argument.kind == ParameterKind::floating && same_size, is_number(argument));
    case Value::half:
    case Value::bfloat16:
      return exact_if(is_object && same_size, is_number(argument));
    case Value::object:
      return exact_if(is_object && same_size, false);
    case Value::bytes:
      return exact_if(same_size, false);
  }
  return Fit::never;
}

bool convert(const ArgumentCode& code, const detail::ArgumentInfo& argument, const void* value, std::uint64_t& target) {
  if (code.kind() == ParameterKind::integer) return convert_integer(code, read_integer(argument, value), target);
  const long double number = read_number(argument, value);
  if (code.value == Value::half) return convert_small(half_format, number, target);
  if (code.value == Value::bfloat16) return convert_small(bfloat16_format, number, target);
  return code.size == sizeof(float) ? convert_floating<float>(number, target)
                                    : convert_floating<double>(number, target);
}

std::string range_text(const ArgumentCode& code) {
  if (code.kind() != ParameterKind::integer) return "a number that " + code.describe() + " can hold";
  const Range range = range_of(code);
  return code.describe() + " from " + std::to_string(range.least) + " to " + std::to_string(range.largest);
}

std::string value_text(const detail::ArgumentInfo& argument, const void* value) {
  if (argument.kind == ParameterKind::integer) {
    const Integer integer = read_integer(argument, value);
    return integer.negative ? std::to_string(static_cast<std::int64_t>(integer.bits)) : std::to_string(integer.bits);
  }
  std::array<char, 64> text = {};
  (void)std::snprintf(text.data(), text.size(), "%Lg", read_number(argument, value));
  return text.data();
}

}  // namespace kiln
