#include "generate/element_occurrence.hpp"

#include <algorithm>

namespace kiln {

namespace {

bool touch(std::string_view left, std::string_view right) { return left.data() + left.size() == right.data(); }

/// Of a `&` whose right side is at `from`.
bool is_binary_and(const OperationTokens& tokens, std::size_t from) {
  const std::string_view left = token_at(tokens, from - 2);
  if (left.empty()) return false;
  const bool is_keyword = is_one_of(left, "return", "else", "do", "case", "sizeof");
  return left == "&" || left == "]" || (left.front() >= '0' && left.front() <= '9') || (is_word(left) && !is_keyword);
}

/// Whether what stands right of the `=` at `equals` is copied, and not bound to a reference.
bool is_copied(const OperationTokens& tokens, std::size_t equals) {
  if (equals == 0) return false;
  if (is_one_of(tokens[equals - 1], "+", "-", "*", "/", "%", "|", "&", "^", "<", ">")) return true;  // += and so on
  std::size_t begin = equals;
  while (begin > 0 && !is_one_of(tokens[begin - 1], ";", "{", "}", "(", ",")) --begin;
  const std::size_t count = equals - begin;
  if (count == 0 || !is_word(tokens[begin])) return false;
  if (count == 1) return true;
  if (is_one_of(tokens[begin + 1], ".", "-")) return true;
  if (tokens[begin + 1] == "[") return !is_type_word(tokens[begin]);  // and no auto [a, b]
  const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(begin);
  return std::all_of(first, first + static_cast<std::ptrdiff_t>(count - 1), is_type_word) &&
         is_word(tokens[equals - 1]);
}

bool is_step_around(const OperationTokens& tokens, std::size_t from) {
  const std::string_view before = token_at(tokens, from - 1), next = token_at(tokens, from + 4);
  return (is_one_of(next, "+", "-") && token_at(tokens, from + 5) == next) ||
         (is_one_of(before, "+", "-") && before == token_at(tokens, from - 2));
}

/// Whether a sign beside it takes its value.
bool is_operand(const OperationTokens& tokens, std::size_t from) {
  const std::string_view before = token_at(tokens, from - 1), next = token_at(tokens, from + 4);
  if (is_one_of(next, "+", "-", "*", "/", "%", "^", "<", ">", "!", "=", "|", "&", "?", "]")) return true;
  const bool is_extraction = before == ">" && token_at(tokens, from - 2) == ">";  // maybe of a class
  return (is_one_of(before, "+", "-", "*", "/", "%", "^", "<", ">", "!", "~", "|") && !is_extraction) ||
         (before == "&" && is_binary_and(tokens, from));
}

}  // namespace

std::string_view token_at(const OperationTokens& tokens, std::size_t index) {
  return index < tokens.size() ? tokens[index] : std::string_view();
}

bool is_type_word(std::string_view token) {
  return is_one_of(token, "const", "auto", "bool", "char", "short", "int", "long", "unsigned", "signed", "float",
                   "double", "half", "__half", "__nv_bfloat16", "size_t", "int8_t", "int16_t", "int32_t", "int64_t",
                   "uint8_t", "uint16_t", "uint32_t", "uint64_t");
}

bool is_member(const OperationTokens& tokens, std::size_t index) {
  const std::string_view before = token_at(tokens, index - 1), before_that = token_at(tokens, index - 2);
  const bool is_arrow = before == ">" && before_that == "-" && touch(before_that, before);
  const bool is_step =
      is_arrow && token_at(tokens, index - 3) == "-" && touch(tokens[index - 3], before_that);  // a-->b
  return before == "." || (is_arrow && !is_step) || (before == ":" && before_that == ":");
}

ElementOccurrence look_at(const OperationTokens& tokens, std::size_t from) {
  ElementOccurrence found;
  found.is_at_i =
      token_at(tokens, from + 1) == "[" && token_at(tokens, from + 2) == "i" && token_at(tokens, from + 3) == "]";
  if (!found.is_at_i) return found;
  const std::string_view before = token_at(tokens, from - 1);
  const std::string_view next = token_at(tokens, from + 4), behind = token_at(tokens, from + 5);
  found.is_address = before == "&" && !is_binary_and(tokens, from);
  const bool is_set = next == "=" && behind != "=";
  found.is_assigned = is_set && is_one_of(before, "", ";", "}");
  const bool is_operator_set = is_one_of(next, "+", "-", "*", "/", "%", "|", "&", "^") && behind == "=";
  const bool is_shift_set = is_one_of(next, "<", ">") && behind == next && token_at(tokens, from + 6) == "=";
  const bool is_change = is_operator_set || is_shift_set || is_step_around(tokens, from);
  const bool is_part = is_one_of(next, ".", "[", "(") || (next == "-" && behind == ">" && touch(next, behind));
  const bool is_all = before.empty() && next.empty();
  const bool is_source = before == "=" && is_one_of(next, ";", "", ",", ")") && is_copied(tokens, from - 1);
  found.is_only_read =
      !found.is_address && !is_set && !is_change && !is_part && (is_all || is_source || is_operand(tokens, from));
  found.is_read = found.is_only_read || is_change;
  return found;
}

}  // namespace kiln
