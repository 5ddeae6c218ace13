#include "emulator/ptx/constants.hpp"

#include "emulator/ptx/cursor.hpp"

#include <array>
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

// Reads exactly that many hexadecimal digits, after 0f or 0d.
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

// Numbers as PTX writes them: "12", "0x1FU", "017", "0b11", "0f3F800000", "0d3FF0000000000000", "1.5e3".

/// Reads a number without a sign. The next character must be a digit or a dot.
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

constexpr int deepest_expression = 100;

Constant expression(Cursor& at, int weakest, int depth);

Constant of_double(double value) { return {Type::f64, std::bit_cast<std::uint64_t>(value)}; }
Constant of_bool(bool value) { return {Type::s64, value ? std::uint64_t{1} : 0}; }

Constant negative(Constant value) {
  if (value.type == Type::f32) return {Type::f32, value.bits ^ 0x80000000u};
  if (value.type == Type::f64) return {Type::f64, value.bits ^ (std::uint64_t{1} << 63)};
  // The smallest s64 is written as the negative of a number that does not fit in s64.
  const bool lowest = value.bits == std::uint64_t{1} << 63;
  return {lowest ? Type::s64 : value.type, 0 - value.bits};
}

Constant parenthesised(Cursor& at, int depth) {
  at.advance(1);
  if (at.peek() != '.' || is_digit(at.second())) {
    const Constant inner = expression(at, 0, depth + 1);
    at.expect(')');
    return inner;
  }
  const Type to = type_named(at.dotted());
  if (to != Type::s64 && to != Type::u64) at.fail("Invalid cast in constant expression");
  at.expect(')');
  Constant value = expression(at, 100, depth + 1);
  if (value.is_float()) at.fail("Invalid cast in constant expression");
  value.type = to;
  return value;
}

Constant unary(Cursor& at, int depth) {
  const char c = at.peek();
  if (is_digit(c) || (c == '.' && is_digit(at.second()))) return literal(at);
  if (depth > deepest_expression) at.fail("Constant expression is nested too deeply");
  if (c == '(') return parenthesised(at, depth);
  if (c == '-' || c == '+' || c == '!' || c == '~') {
    at.advance(1);
    const Constant value = unary(at, depth + 1);
    if (c == '+') return value;
    if (c == '-') return negative(value);
    if (value.is_float()) at.fail("Integer constant expression expected");
    if (c == '!') return of_bool(value.bits == 0);
    return {value.type, ~value.bits};
  }
  if (starts_name(c) && at.token() == "WARP_SZ") {
    at.word();
    return {Type::s64, 32};
  }
  at.syntax_error();
}

struct Operator {
  const char* text;
  int strength;
};

// Longer spellings come first.
constexpr std::array<Operator, 18> constant_operators = {{{"||", 1},
                                                          {"&&", 2},
                                                          {"<<", 8},
                                                          {">>", 8},
                                                          {"<=", 7},
                                                          {">=", 7},
                                                          {"==", 6},
                                                          {"!=", 6},
                                                          {"|", 3},
                                                          {"^", 4},
                                                          {"&", 5},
                                                          {"<", 7},
                                                          {">", 7},
                                                          {"+", 9},
                                                          {"-", 9},
                                                          {"*", 10},
                                                          {"/", 10},
                                                          {"%", 10}}};

const Operator* operator_at(Cursor& at) {
  const char first = at.peek();
  if (first == ',' || first == ';' || first == ']' || first == ')' || first == '}') return nullptr;
  for (const Operator& each : constant_operators)
    if (first == each.text[0] && (each.text[1] == '\0' || at.second() == each.text[1])) return &each;
  return nullptr;
}

Constant float_result(Cursor& at, const char* op, double a, double b) {
  switch (op[0]) {
    case '+':
      return of_double(a + b);
    case '-':
      return of_double(a - b);
    case '*':
      return of_double(a * b);
    case '/':
      return of_double(a / b);
    default:
      at.fail("Integer constant expression expected");
  }
}

std::uint64_t quotient(Cursor& at, bool rest, bool is_unsigned, std::uint64_t a, std::uint64_t b) {
  if (b == 0) at.fail("Division by zero in constant expression");
  if (is_unsigned) return rest ? a % b : a / b;
  // The only quotient that does not fit.
  if (b == ~std::uint64_t{0}) return rest ? 0 : 0 - a;
  const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
  return static_cast<std::uint64_t>(rest ? x % y : x / y);
}

std::uint64_t shifted(bool left, bool is_unsigned, std::uint64_t a, std::uint64_t by) {
  if (left) return by > 63 ? 0 : a << by;
  if (is_unsigned) return by > 63 ? 0 : a >> by;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> (by > 63 ? 63 : by));
}

Constant integer_result(Cursor& at, const char* op, Constant left, Constant right) {
  const std::uint64_t a = left.bits, b = right.bits;
  const bool is_unsigned = left.type == Type::u64 || right.type == Type::u64;
  const Type type = is_unsigned ? Type::u64 : Type::s64;
  const bool less = is_unsigned ? a < b : static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  const bool doubled = op[1] == op[0];
  switch (op[0]) {
    case '+':
      return {type, a + b};
    case '-':
      return {type, a - b};
    case '*':
      return {type, a * b};
    case '/':
      return {type, quotient(at, false, is_unsigned, a, b)};
    case '%':
      return {type, quotient(at, true, is_unsigned, a, b)};
    case '&':
      return doubled ? of_bool(a != 0 && b != 0) : Constant{type, a & b};
    case '|':
      return doubled ? of_bool(a != 0 || b != 0) : Constant{type, a | b};
    case '^':
      return {type, a ^ b};
    case '=':
      return of_bool(a == b);
    case '!':
      return of_bool(a != b);
    default:
      break;
  }
  if (doubled) return {left.type, shifted(op[0] == '<', left.type == Type::u64, a, b)};
  if (op[0] == '<') return of_bool(less || (op[1] == '=' && a == b));
  return of_bool(op[1] == '=' ? !less : !less && a != b);
}

Constant choice(Cursor& at, Constant condition, int depth) {
  if (condition.is_float()) at.fail("Integer constant expression expected");
  const Constant first = expression(at, 0, depth + 1);
  at.expect(':');
  const Constant second = expression(at, 0, depth + 1);
  return condition.bits != 0 ? first : second;
}

// Reads operators of at least this precedence.
Constant expression(Cursor& at, int weakest, int depth) {
  if (depth > deepest_expression) at.fail("Constant expression is nested too deeply");
  Constant left = unary(at, depth);
  while (const Operator* const found = operator_at(at)) {
    if (found->strength < weakest) return left;
    at.advance(std::char_traits<char>::length(found->text));
    const Constant right = expression(at, found->strength + 1, depth + 1);
    left = left.is_float() || right.is_float() ? float_result(at, found->text, left.as_double(), right.as_double())
                                               : integer_result(at, found->text, left, right);
  }
  if (weakest == 0 && at.take('?')) return choice(at, left, depth);
  return left;
}

}  // namespace

double Constant::as_double() const {
  if (type == Type::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (type == Type::f64) return std::bit_cast<double>(bits);
  return type == Type::u64 ? static_cast<double>(bits) : static_cast<double>(static_cast<std::int64_t>(bits));
}

Constant constant(Cursor& at) { return expression(at, 0, 0); }

Constant summand(Cursor& at) { return expression(at, 10, 0); }

std::int64_t offset(Cursor& at) {
  std::uint64_t sum = 0;
  for (char sign = at.peek(); sign == '+' || sign == '-'; sign = at.peek()) {
    at.advance(1);
    const Constant value = summand(at);
    if (value.is_float()) at.fail("Integer constant expression expected");
    sum += sign == '+' ? value.bits : 0 - value.bits;
  }
  return static_cast<std::int64_t>(sum);
}

std::uint64_t count(Cursor& at) {
  const Constant value = constant(at);
  if (value.is_float() || (value.type == Type::s64 && value.bits >> 63 != 0))
    at.fail("Integer constant expression expected");
  return value.bits;
}

}  // namespace kiln::emulator::ptx
