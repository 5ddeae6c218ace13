#include "literal.hpp"

#include "launch/argument_conversion.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace kiln::tool {

namespace {

template <class T>
Literal literal_of(std::string_view type, T value) {
  Literal literal{element_type(type), 0};
  std::memcpy(&literal.bits, &value, sizeof value);
  return literal;
}

/// The first of C++'s types that holds it.
std::optional<Literal> integer_literal(bool negative, std::uint64_t magnitude, bool is_unsigned, bool is_long,
                                       bool is_decimal) {
  constexpr std::uint64_t int_limit = std::uint64_t{1} << 31, long_limit = std::uint64_t{1} << 63;
  const std::uint64_t own = negative ? 1 : 0;  // there is one negative number more
  const std::uint64_t value = negative ? ~magnitude + 1 : magnitude;
  if (negative && is_unsigned) return std::nullopt;
  if (!is_unsigned && !is_long && magnitude < int_limit + own) return literal_of("int", static_cast<int>(value));
  const bool may_be_unsigned = !negative && (is_unsigned || !is_decimal);
  if (may_be_unsigned && !is_long && magnitude >> 32 == 0)
    return literal_of("unsigned int", static_cast<unsigned>(value));
  if (!is_unsigned && magnitude < long_limit + own) return literal_of("long", static_cast<long>(value));
  if (negative) return std::nullopt;
  return literal_of("unsigned long", static_cast<unsigned long>(value));
}

/// Takes 'u', 'l' and 'll' off, in either order.
void take_suffix(std::string_view& text, bool& is_unsigned, bool& is_long) {
  const auto take = [&](char small, char large) {
    if (!text.ends_with(small) && !text.ends_with(large)) return false;
    text.remove_suffix(1);
    return true;
  };
  is_unsigned = take('u', 'U');
  is_long = take('l', 'L');
  if (is_long) (void)take('l', 'L');
  if (!is_unsigned) is_unsigned = take('u', 'U');
}

std::optional<Literal> read_integer(bool negative, std::string_view text) {
  const bool is_decimal = !text.starts_with("0x") && !text.starts_with("0X");
  if (!is_decimal) text.remove_prefix(2);
  bool is_unsigned = false, is_long = false;
  take_suffix(text, is_unsigned, is_long);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, is_decimal ? 10 : 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return integer_literal(negative, magnitude, is_unsigned, is_long, is_decimal);
}

template <class T>
std::optional<Literal> read_floating(bool negative, std::string_view text, std::string_view type) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return literal_of(type, negative ? -value : value);
}

detail::ArgumentInfo info_of(const Literal& literal) { return literal.type->value(); }

/// Without its text, which takes more time than the rest.
ArgumentCode code_of(const ElementType& type) {
  using Value = ArgumentCode::Value;
  ArgumentCode code;
  code.is_signed = type.is_signed;
  code.size = type.size;
  switch (type.kind) {
    case ElementType::Kind::boolean:
      code.value = Value::boolean;
      break;
    case ElementType::Kind::integer:
      code.value = Value::integer;
      break;
    case ElementType::Kind::floating:
      code.value = Value::floating;
      break;
    case ElementType::Kind::half:
      code.value = Value::half;
      break;
    case ElementType::Kind::bfloat16:
      code.value = Value::bfloat16;
      break;
    case ElementType::Kind::complex:
      break;
  }
  return code;
}

/// 1e6, as a whole number's literal.
std::optional<Literal> as_whole(const Literal& literal) {
  double value = 0;
  if (literal.type->size == sizeof(float)) {
    float single = 0;
    std::memcpy(&single, &literal.bits, sizeof single);
    value = static_cast<double>(single);
  } else {
    std::memcpy(&value, &literal.bits, sizeof value);
  }
  constexpr double limit = 18446744073709551616.0;  // 2 to the power of 64
  if (!(std::fabs(value) < limit) || value != std::trunc(value)) return std::nullopt;
  return integer_literal(value < 0, static_cast<std::uint64_t>(std::fabs(value)), false, false, false);
}

}  // namespace

std::optional<Literal> read_literal(std::string_view text) {
  if (text == "true" || text == "false") return literal_of("bool", text == "true");
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "inf" || text == "nan") return read_floating<double>(negative, text, "double");
  // All else begins as numbers do: the functions of the library know more words.
  if (text.empty() || std::string_view("0123456789.").find(text.front()) == std::string_view::npos) return std::nullopt;
  if (std::optional<Literal> whole = read_integer(negative, text)) return whole;
  if (text.starts_with("0x") || text.starts_with("0X")) return std::nullopt;
  if (text.find_first_of(".eEfF") == std::string_view::npos) return std::nullopt;
  if (!text.ends_with('f') && !text.ends_with('F')) return read_floating<double>(negative, text, "double");
  text.remove_suffix(1);
  return read_floating<float>(negative, text, "float");
}

bool convert_literal(const Literal& literal, const ElementType& type, void* target) {
  Literal whole = literal;
  if (type.is_whole() && !literal.type->is_whole()) {
    const std::optional<Literal> number = as_whole(literal);
    if (!number) return false;
    whole = *number;
  }
  std::uint64_t bits = 0;
  if (!convert(code_of(type), info_of(whole), &whole.bits, bits)) return false;
  std::memcpy(target, &bits, type.size);
  return true;
}

std::string literal_range(const ElementType& type) {
  ArgumentCode code = code_of(type);
  code.text = type.name;
  return range_text(code);
}

}  // namespace kiln::tool
