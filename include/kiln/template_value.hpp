// TemplateValue: what may stand for a name in a template of CUDA C++.
#pragma once

#include <kiln/detail/template_value.hpp>

#include <functional>
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

/// One value, kept as the text that it puts into the source. A plain value type. From
/// - a string, unchanged; a type by type_name<T>();
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
  TemplateValue(const T& value)  // NOLINT(google-explicit-constructor)
      : text_(detail::element_text(value)), origin_(detail::origin_of(value)) {}

  const std::string& text() const noexcept { return text_; }  ///< what stands in the name's place
  bool is_block() const noexcept { return is_block_; }        ///< whether it was a CodeBlock
  /// What it was made of, for formats: format_percent.
  const detail::ValueOrigin& origin() const noexcept { return origin_; }

 private:
  std::string text_;
  bool is_block_ = false;
  detail::ValueOrigin origin_;
};

/// Values by name: {{"type", kiln::type_name<float>()}, {"block", 256}}.
using TemplateValues = std::map<std::string, TemplateValue, std::less<>>;

}  // namespace kiln
