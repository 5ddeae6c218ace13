// TemplateValue: what may stand for a name in a template of CUDA C++.
#pragma once

#include <kiln/export.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kiln {

/// Text of several lines, as a value: CodeBlock{"float a;\nfloat b;"}. A plain string with a line's end is refused,
/// because most such values are mistakes, and would shift the lines that errors name. Each line of a block has the
/// number of the template's line that it was put into.
struct CodeBlock {
  std::string text;  ///< its lines
};

namespace detail {

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

}  // namespace detail

/// One value, kept as the text that it puts into the source. A plain value type. From
/// - a string, as it is; a type goes by type_name<T>();
/// - an integer of any type, a bool ("true", "false"), a float ("1.0f") or a double ("0.1"): a C++ literal of that
///   value, for floating types the shortest one that reads back to the same value, whatever the locale. Infinity and
///   NaN have no literal and throw ArgumentError;
/// - a sequence of those, such as std::vector, std::array, a C array: its elements joined by ", ", inner sequences in
///   braces;
/// - a CodeBlock, for text of several lines.
class TemplateValue {
 public:
  TemplateValue() = default;  // no text
  /// A text, a block of code, a number, or a sequence of these.
  TemplateValue(std::string_view text) : text_(text) {}        // NOLINT(google-explicit-constructor)
  TemplateValue(const char* text) : text_(text) {}             // NOLINT(google-explicit-constructor)
  TemplateValue(std::string text) : text_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  TemplateValue(CodeBlock block)                               // NOLINT(google-explicit-constructor)
      : text_(std::move(block.text)), is_block_(true) {}
  template <class T,
            class = std::enable_if_t<!detail::is_text<T> && (std::is_arithmetic_v<T> || detail::is_sequence<T>)>>
  TemplateValue(const T& value) : text_(detail::element_text(value)) {}  // NOLINT(google-explicit-constructor)

  const std::string& text() const noexcept { return text_; }  ///< what stands in the name's place
  bool is_block() const noexcept { return is_block_; }        ///< whether it was a CodeBlock

 private:
  std::string text_;
  bool is_block_ = false;
};

/// Values by name: {{"type", kiln::type_name<float>()}, {"block", 256}}.
using TemplateValues = std::map<std::string, TemplateValue, std::less<>>;

}  // namespace kiln
