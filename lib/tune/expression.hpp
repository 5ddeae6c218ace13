// Restrictions and sizes as C-like expressions: BLOCK_X * BLOCK_Y <= max_threads_per_block && TYPE != "double".
#pragma once

#include "tune/expression_program.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A name's value: a text where `text` is not null, which must then outlive what is given it.
struct ExpressionValue {
  long long number = 0;
  const std::string* text = nullptr;
};

/// Parsed once: 64-bit integers with C's operators + - * / % << >> < <= > >= == != && || ! ?:, parentheses, true,
/// false, min(a, b), max(a, b) and ceil_div(a, b). Immutable, so that all threads may use it.
class Expression {
 public:
  /// Throws ArgumentError for what is no such expression, with the place, and for names that are not among `names`.
  /// `subject` is what errors call it; otherwise "the expression" with its text.
  Expression(std::string_view text, const std::vector<ExpressionName>& names, std::string subject = {});

  /// `values` has one for each of the names that it was made with, in their order. Throws ArgumentError where a result
  /// does not fit 64 bits or a divisor is 0; what && || and ?: leave out is not evaluated.
  long long value(std::span<const ExpressionValue> values) const;
  /// The same without the error: what is wrong, such as "divides by 0"; null where nothing is.
  const char* evaluate(std::span<const ExpressionValue> values, long long& result) const noexcept;
  /// The text of that error.
  std::string fault_text(const std::string& what, std::span<const ExpressionValue> values) const;

  const std::string& text() const noexcept { return text_; }
  /// The indices of the names in it, ascending, each once.
  const std::vector<std::size_t>& used() const noexcept { return used_; }

 private:
  std::string given(std::span<const ExpressionValue> values) const;

  std::string text_;
  std::string subject_;
  ExpressionProgram program_;
  std::vector<std::size_t> used_;
  std::vector<std::string> used_names_;
};

}  // namespace kiln
