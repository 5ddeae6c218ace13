// The text of a value in CUDA C++.
#pragma once

#include <kiln/export.hpp>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace kiln::detail {

KILN_EXPORT std::string literal(long long value);
KILN_EXPORT std::string literal(unsigned long long value);
KILN_EXPORT std::string literal(float value);
KILN_EXPORT std::string literal(double value);

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

template <class Number>
std::string number_text(Number value) {
  static_assert(!is_character<Number>, "a character: give a string for its text, or an int for its number");
  static_assert(!std::is_same_v<Number, long double>, "CUDA C++ has no long double: give a double");
  static_assert(sizeof(Number) <= 8, "C++ has no literal of that size: give a string");
  if constexpr (std::is_same_v<Number, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_floating_point_v<Number>)
    return literal(value);
  else if constexpr (std::is_signed_v<Number>)
    return literal(static_cast<long long>(value));
  else
    return literal(static_cast<unsigned long long>(value));
}

template <class T>
inline constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;

template <class T, class = void>
inline constexpr bool is_sequence = false;
template <class T>
inline constexpr bool is_sequence<
    T, std::void_t<decltype(std::begin(std::declval<const T&>())), decltype(std::end(std::declval<const T&>()))>> =
    !is_text<T>;

template <class T>
std::string element_text(const T& value);

/// std::vector<bool> gives its elements as something else.
template <class Sequence>
using ElementType = typename std::iterator_traits<decltype(std::begin(std::declval<const Sequence&>()))>::value_type;

/// "1, 2, 3"; sequences within are in braces: "{1, 2}, {3, 4}".
template <class Sequence>
std::string sequence_text(const Sequence& sequence) {
  using Element = ElementType<Sequence>;
  std::string text;
  for (auto item = std::begin(sequence); item != std::end(sequence); ++item) {
    if (item != std::begin(sequence)) text += ", ";
    const std::string element = element_text<Element>(*item);
    text += is_sequence<Element> ? "{" + element + "}" : element;
  }
  return text;
}

template <class T>
std::string element_text(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return number_text(value);
  else if constexpr (is_sequence<T>)
    return sequence_text(value);
  else
    return std::string(std::string_view(value));
}

struct SequenceOrigin {};

/// A value's number, in the widest type of its kind; the first alternative is text.
using ValueOrigin = std::variant<std::monostate, SequenceOrigin, bool, long long, unsigned long long, float, double>;

template <class T>
ValueOrigin origin_of(const T& value) {
  if constexpr (!std::is_arithmetic_v<T>)
    return SequenceOrigin{};
  else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>)
    return value;
  else if constexpr (std::is_signed_v<T>)
    return static_cast<long long>(value);
  else
    return static_cast<unsigned long long>(value);
}

}  // namespace kiln::detail
