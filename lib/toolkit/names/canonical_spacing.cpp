#include "toolkit/names/kernel_name.hpp"

namespace kiln {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Two that would become another operator side by side: "a - -1". Not '>', which C++ takes apart again.
bool must_stay_apart(char left, char right) {
  return (is_of_name(left) && is_of_name(right)) || (left == right && (left == '+' || left == '-' || left == '&'));
}

// The end of the quoted text that begins at `begin`; the end of all where the quote is not closed.
std::size_t end_of_quote(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != text[begin]) at += text[at] == '\\' ? 2 : 1;
  return at < text.size() ? at + 1 : text.size();
}

// 1'000'000: a quote that does not quote. An encoding prefix such as u8'c' does not begin with a digit.
bool separates_digits(const std::string& before) {
  std::size_t begin = before.size();
  while (begin > 0 && (is_of_name(before[begin - 1]) || before[begin - 1] == '\'')) --begin;
  return begin < before.size() && before[begin] >= '0' && before[begin] <= '9';
}

}  // namespace

std::string canonical_spacing(std::string_view expression) {
  std::string result;
  result.reserve(expression.size());
  bool blank = false;
  for (std::size_t at = 0; at < expression.size();) {
    const char c = expression[at];
    if (is_blank(c)) {
      blank = true;
      ++at;
      continue;
    }
    if (blank && !result.empty() && must_stay_apart(result.back(), c)) result += ' ';
    const bool quote = c == '"' || (c == '\'' && (blank || !separates_digits(result)));
    blank = false;
    const std::size_t end = quote ? end_of_quote(expression, at) : at + 1;
    result += expression.substr(at, end - at);
    at = end;
  }
  return result;
}

}  // namespace kiln
