#include "compile/compiler/template_mark.hpp"

#include "base/bounded_text.hpp"
#include "base/identifier.hpp"
#include "base/source_token.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

struct Mark {
  std::size_t size = 0;     // 0: none
  const char* advice = "";  // what fills it in
};

/// The size up to `end`, with it; 0 where the text has none.
std::size_t size_with(std::string_view text, std::string_view end) {
  const std::size_t at = text.find(end);
  return at == std::string_view::npos ? 0 : at + end.size();
}

std::size_t size_of_identifier(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && is_of_identifier(text[size])) ++size;
  return size;
}

bool is_format(char c) { return std::string_view("sdifgeruxX").find(c) != std::string_view::npos; }

/// "%(name)d", and "%d" where no left operand stands before it.
std::size_t percent_size(std::string_view text, bool has_operand) {
  if (text.size() < 2) return 0;
  if (is_format(text[1])) return has_operand || size_of_identifier(text.substr(1)) > 1 ? 0 : 2;
  const std::size_t name = text[1] == '(' ? size_of_identifier(text.substr(2)) : 0;
  if (name == 0) return 0;
  const std::string_view rest = text.substr(2 + name);
  return rest.size() > 1 && rest[0] == ')' && is_format(rest[1]) ? name + 4 : 0;
}

/// "{{ name }}" without what an initializer has.
std::size_t braces_size(std::string_view text) {
  const std::size_t size = size_with(text, "}}");
  return text.substr(2, size - std::min<std::size_t>(size, 4)).find_first_of("{},;") == std::string_view::npos ? size
                                                                                                               : 0;
}

/// "{n}", "{0}" and "{}", which are no initializers where an operator stands before or behind them.
std::size_t brace_size(std::string_view text, char before) {
  const std::size_t size = size_of_identifier(text.substr(1)) + 2;
  if (text.substr(size - 1, 1) != "}") return 0;
  constexpr std::string_view operators = "*/%+-<>&|^?[.";
  const std::string_view rest = trimmed(text.substr(size));
  const bool is_before = before != '\0' && contains(operators, std::string_view(&before, 1));
  const bool is_behind = !rest.empty() && contains(operators, rest.substr(0, 1));
  return is_before || is_behind ? size : 0;
}

/// "@name@"
std::size_t at_size(std::string_view text) {
  const std::size_t name = size_of_identifier(text.substr(1));
  return name > 0 && text.substr(name + 1, 1) == "@" ? name + 2 : 0;
}

/// The mark that begins the text; `before` is the last character that is no blank.
Mark mark_at(std::string_view text, char before) {
  const bool has_operand = is_of_identifier(before) || before == ')' || before == ']';
  const bool begins_line = before == '\0';
  constexpr const char* percent = ": kiln::format_percent gives the text to compile.";
  constexpr const char* kilns = ": kiln::render_template gives the text to compile.";
  constexpr const char* jinja =
      ". It is Jinja's, which Kiln leaves as it is: kiln::render_template replaces {@ name @}, and has "
      "{@# list @}...{@/ list @} for loops and conditions.";
  constexpr const char* mako =
      ". It is Mako's, which Kiln leaves as it is: kiln::render_template has {@# list @}...{@/ list @} for loops and "
      "conditions.";
  constexpr const char* dollar = ": kiln::substitute gives the text to compile.";
  constexpr const char* other = ": kiln::substitute, whose marks are ${name}, gives the text to compile.";
  if (text.starts_with("{@")) return {size_with(text, "@}"), kilns};
  if (text.starts_with("{{ ") || (text.starts_with("{{") && !has_operand)) return {braces_size(text), jinja};
  if (text.starts_with("{%") || text.starts_with("{#")) return {size_with(text, text[1] == '%' ? "%}" : "#}"), jinja};
  if (text.starts_with("${")) return {size_with(text, "}"), dollar};
  if (text.starts_with("$")) return {1 + size_of_identifier(text.substr(1)), dollar};
  if (text.starts_with("{") && !has_operand) return {brace_size(text, before), other};
  if (text.starts_with("<%")) return {size_with(text, "%>"), other};
  if (text.starts_with("#{")) return {size_with(text, "}"), other};
  if (text.starts_with("@")) return {at_size(text), other};
  if (begins_line && text.starts_with("% ")) return {text.size(), mako};
  if (text.starts_with("%")) return {percent_size(text, has_operand), percent};
  return {};
}

}  // namespace

std::string template_mark_advice(std::string_view line, std::size_t place) {
  char before = '\0';
  for (std::size_t at = 0; at < line.size() && at <= place;) {
    const SourceToken token = source_token(line, at);
    const std::string_view rest = line.substr(at);
    const bool may_begin = token.kind == SourceTokenKind::mark || rest.starts_with("$") || rest.starts_with("@");
    const Mark mark = may_begin ? mark_at(rest, before) : Mark();
    const std::size_t behind = std::min(line.find_first_not_of(" \t", at + mark.size), line.size());
    if (mark.size > 0 && place <= behind)
      return "\"" + bounded(rest.substr(0, mark.size), 100) + "\" looks like a template's mark that was not filled in" +
             mark.advice + " A number or a type can also be a macro (CompileOptions::defines).";
    if (token.kind != SourceTokenKind::blank && token.kind != SourceTokenKind::comment)
      before = line[at + token.size - 1];
    at += std::max(mark.size, token.size);
  }
  return {};
}

}  // namespace kiln
