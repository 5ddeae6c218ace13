#include "worker/nvrtc/gnu_extension.hpp"

#include "base/identifier.hpp"
#include "base/source_token.hpp"
#include "base/text_parts.hpp"
#include "base/utf8.hpp"
#include "base/word_list.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kiln {

namespace {

constexpr std::string_view words_of_gnu =
    "__typeof__ __typeof typeof __alignof__ __alignof __asm__ __asm __extension__ __const __const__ __volatile "
    "__volatile__ __signed __signed__ _Complex __complex__ __complex __real__ __real __imag__ __imag __label__ __null "
    "__thread register";

/// The letters and digits of most scripts; not blanks, punctuation and operators such as U+00A0 and U+2212.
bool is_letter(unsigned code) {
  if (code == 0xAA || code == 0xB5 || code == 0xBA) return true;
  if (code == 0xD7 || code == 0xF7) return false;
  return (code >= 0xC0 && code < 0x2000) || (code >= 0x2070 && code < 0x2190) || (code >= 0x2C00 && code < 0x2E00) ||
         (code >= 0x3040 && code < 0xD800) || (code >= 0xF900 && code < 0xFE00) || code >= 0x10000;
}

class ExtensionReader {
 public:
  explicit ExtensionReader(std::string_view text) : text_(text) {}

  std::string run() {
    for (std::size_t at = 0; at < text_.size() && found_.empty();) {
      const SourceToken token = source_token(text_, at);
      using Kind = SourceTokenKind;
      if (token.kind == Kind::mark && (text_[at] & 0x80) != 0) read_letter(at);
      if (token.kind == Kind::word || token.kind == Kind::number || token.kind == Kind::mark)
        read(text_.substr(at, token.size), at);
      if (token.kind == Kind::literal || token.kind == Kind::raw_literal) read("\"", at);
      at += token.size;
    }
    return found_;
  }

 private:
  std::string_view last(std::size_t back = 0) const { return before_[before_.size() - 1 - back]; }
  static bool is_word(std::string_view token) { return !token.empty() && is_of_word(token.front()); }
  /// After it an expression begins, and no list of parameters or conditions.
  static bool begins_expression(std::string_view token) {
    return has_word("= ( , ; { } return + - * / & | < ? :", token);
  }

  void read_letter(std::size_t at) {
    if (is_letter(first_character(text_.substr(at)).code)) found_ = "identifiers with letters outside ASCII";
  }

  void read(std::string_view token, std::size_t at) {
    if (has_word(words_of_gnu, token)) found_ = token;
    if (is_word(token) && contains(token, "$")) found_ = "'$' in identifiers";
    if (token == "case") in_case_ = true;
    if (token == ":" || token == ";") in_case_ = false;
    if (in_case_ && token == "." && last() == "." && last(1) == ".") found_ = "ranges of cases, case a ... b";
    const bool is_scope = token == ":" && at + 1 < text_.size() && text_[at + 1] == ':';
    if (token == ":" && last() == "?" && !is_scope) found_ = "an omitted operand, x ?: y";
    if (token == "{" && last() == "(" && (last(1) == ")" || begins_expression(last(1))))
      found_ = "statement expressions, ({ ... })";
    read_designator(token, is_scope);
    read_compound_literal(token);
    std::rotate(before_.begin(), before_.begin() + 1, before_.end());
    before_.back() = token;
  }

  /// `{.a = 1}`, `{[2] = 1}` and `= {a: 1}`.
  void read_designator(std::string_view token, bool is_scope) {
    const auto opens = [](std::string_view before) { return before == "{" || before == ","; };
    const bool of_member = token == "=" && is_word(last()) && last(1) == "." && opens(last(2));
    const bool of_element = token == "=" && last() == "]" && last(2) == "[" && opens(last(3));
    const bool of_old_form = token == ":" && !is_scope && is_word(last()) && last(1) == "{" && last(2) == "=";
    if (of_member || of_element || of_old_form) found_ = "designated initialisers, {.name = value}";
  }

  /// `(type){...}` where an expression begins: in the parentheses is what types are made of.
  void read_compound_literal(std::string_view token) {
    if (token == "{" && last() == ")" && is_type_) found_ = "compound literals, (type){...}";
    if (token == "(")
      is_type_ = begins_expression(last());
    else if (last() == ")" || (!is_word(token) && !has_word("* [ ] < > : , )", token)))
      is_type_ = false;
  }

  std::string_view text_;
  std::array<std::string_view, 4> before_ = {};  // tokens, the last one last
  bool in_case_ = false;
  bool is_type_ = false;  // since the last opened parenthesis
  std::string found_;
};

/// NVRTC's words, and what they are about.
struct Refused {
  std::string_view words;
  const char* extension;
};
constexpr Refused refused[] = {
    {"[]\" is not allowed", "arrays without a size at a struct's end"},
    {"the size of an array must be greater than zero", "arrays of size zero"},
    {"cannot have an in-class initializer", "values of static floating-point members within their class"},
    {"must be a pointer to a complete object type", "arithmetic with void*"},
    {"identifier \"__builtin_", "the host compiler's functions of the name __builtin_..."},
};

}  // namespace

std::string gnu_extension(std::string_view text) { return ExtensionReader(text).run(); }

std::string refused_extension(std::string_view nvrtc_error) {
  for (const Refused& one : refused)
    if (contains(nvrtc_error, one.words)) return one.extension;
  return {};
}

}  // namespace kiln
