#include "emulator/ptx/literals.hpp"

#include <bit>
#include <charconv>
#include <cstring>

namespace kiln::emulator::ptx {

namespace {

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

// Reads exactly that many hexadecimal digits, behind 0f or 0d.
Constant float_bits(Cursor& at, Type type, std::size_t digits) {
  Constant value{type, 0};
  const char* next = at.place() + 2;
  for (std::size_t i = 0; i < digits; ++i, ++next) {
    if (digit_value(*next) > 15) at.fail("Invalid floating point literal");
    value.bits = value.bits << 4 | static_cast<std::uint64_t>(digit_value(*next));
  }
  if (continues_name(*next)) at.fail("Invalid floating point literal");
  at.advance(2 + digits);
  return value;
}

Constant decimal_float(Cursor& at) {
  const char* const first = at.place();
  double value = 0;
  const auto read = std::from_chars(first, first + std::strcspn(first, " \t\r\n,;]})"), value);
  if (read.ec != std::errc() || continues_name(*read.ptr)) at.fail("Invalid floating point literal");
  at.advance(static_cast<std::size_t>(read.ptr - first));
  return {Type::f64, std::bit_cast<std::uint64_t>(value)};
}

bool is_decimal_float(const char* text) {
  while (is_digit(*text)) ++text;
  return *text == '.' || *text == 'e' || *text == 'E';
}

Constant integer(Cursor& at, const char* next, int base) {
  Constant value;
  const char* const first = next;
  for (; digit_value(*next) < base; ++next) {
    const auto digit = static_cast<std::uint64_t>(digit_value(*next));
    if (value.bits > (~std::uint64_t{0} - digit) / static_cast<std::uint64_t>(base)) at.fail("Constant overflow");
    value.bits = value.bits * static_cast<std::uint64_t>(base) + digit;
  }
  const bool is_unsigned = *next == 'U' || *next == 'u';
  if (next == first || continues_name(next[is_unsigned ? 1 : 0])) at.syntax_error();
  if (is_unsigned || value.bits >> 63 != 0) value.type = Type::u64;
  at.advance(static_cast<std::size_t>(next - at.place()) + (is_unsigned ? 1 : 0));
  return value;
}

}  // namespace

Constant literal(Cursor& at) {
  const char* const text = at.place();
  if (*text == '0') {
    switch (text[1] | 0x20) {
      case 'x':
        return integer(at, text + 2, 16);
      case 'b':
        return integer(at, text + 2, 2);
      case 'f':
        return float_bits(at, Type::f32, 8);
      case 'd':
        return float_bits(at, Type::f64, 16);
      default:
        break;
    }
  }
  if (is_decimal_float(text)) return decimal_float(at);
  return *text == '0' && is_digit(text[1]) ? integer(at, text + 1, 8) : integer(at, text, 10);
}

}  // namespace kiln::emulator::ptx
