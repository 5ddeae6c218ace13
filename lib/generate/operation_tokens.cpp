#include "generate/operation_tokens.hpp"

#include "base/source_token.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace kiln {

namespace {

bool is_left_out(SourceTokenKind kind) {
  return kind == SourceTokenKind::blank || kind == SourceTokenKind::newline || kind == SourceTokenKind::splice ||
         kind == SourceTokenKind::comment;
}

/// Takes the parameters of a macro away, which hide other things of their names.
void remove_parameters(OperationTokens& body) {
  const auto end = std::find(body.begin(), body.end(), ")");
  if (end == body.end()) return;
  const OperationTokens parameters(body.begin(), end);
  body.erase(body.begin(), end + 1);
  body.erase(std::remove_if(body.begin(), body.end(),
                            [&](std::string_view token) {
                              return is_word(token) &&
                                     std::find(parameters.begin(), parameters.end(), token) != parameters.end();
                            }),
             body.end());
}

bool is_directive(const OperationTokens& line, std::string_view name) {
  return line.size() >= 3 && line[0] == "#" && line[1] == name;
}

bool has_parameters(const OperationTokens& definition) {
  return definition.size() > 3 && definition[3] == "(" &&
         definition[2].data() + definition[2].size() == definition[3].data();
}

void add_definition(const OperationTokens& line, std::vector<OperationMacro>& macros) {
  if (!is_directive(line, "define")) return;
  OperationMacro macro = {line[2], {line.begin() + 3, line.end()}};
  if (has_parameters(line)) remove_parameters(macro.body);
  macros.push_back(std::move(macro));
}

template <class Read>
void for_each_line(std::string_view text, Read read) {
  OperationTokens line;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (token.kind == SourceTokenKind::newline)
      read(std::exchange(line, {}));
    else if (!is_left_out(token.kind))
      line.push_back(text.substr(at, token.size));
    at += token.size;
  }
  read(line);
}

/// The name after a "std::" that begins there, which is none of "cuda::std::"; empty for anything else.
std::string_view name_of_host(const OperationTokens& tokens, std::size_t k) {
  if (tokens[k] != "std" || k + 3 >= tokens.size() || tokens[k + 1] != ":" || tokens[k + 2] != ":") return {};
  const bool is_inside = k > 2 && tokens[k - 1] == ":" && tokens[k - 2] == ":" && is_word(tokens[k - 3]);
  return is_inside ? std::string_view() : tokens[k + 3];
}

bool is_complex_name(std::string_view name) {
  constexpr std::string_view names[] = {"complex", "abs",  "arg",   "norm", "conj", "proj",  "polar", "real", "imag",
                                        "exp",     "log",  "log10", "pow",  "sqrt", "sin",   "cos",   "tan",  "sinh",
                                        "cosh",    "tanh", "asin",  "acos", "atan", "asinh", "acosh", "atanh"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

OperationTokens operation_tokens(std::string_view text) {
  OperationTokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (!is_left_out(token.kind)) tokens.push_back(text.substr(at, token.size));
    at += token.size;
  }
  return tokens;
}

std::vector<OperationMacro> macros_of(std::string_view text) {
  std::vector<OperationMacro> macros;
  for_each_line(text, [&macros](const OperationTokens& line) { add_definition(line, macros); });
  return macros;
}

MacroKind macro_kind(std::string_view text, std::string_view name) {
  MacroKind kind = MacroKind::none;
  for_each_line(text, [&](const OperationTokens& line) {
    if (is_directive(line, "define") && line[2] == name)
      kind = has_parameters(line) ? MacroKind::with_parameters : MacroKind::plain;
    if (is_directive(line, "undef") && line[2] == name) kind = MacroKind::none;
  });
  return kind;
}

void use_device_complex(const std::vector<std::string*>& texts) {
  const auto names_complex = [](const std::string* text) {
    const OperationTokens tokens = operation_tokens(*text);
    for (std::size_t k = 0; k < tokens.size(); ++k)
      if (name_of_host(tokens, k) == "complex") return true;
    return false;
  };
  if (std::none_of(texts.begin(), texts.end(), names_complex)) return;
  for (std::string* const text : texts) {
    const OperationTokens tokens = operation_tokens(*text);
    std::string made;
    std::size_t copied = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      if (!is_complex_name(name_of_host(tokens, k))) continue;
      const auto begin = static_cast<std::size_t>(tokens[k].data() - text->data());
      made.append(*text, copied, begin - copied).append("cuda::");
      copied = begin;
    }
    made.append(*text, copied);
    *text = std::move(made);
  }
}

bool is_word(std::string_view token) { return !token.empty() && source_token(token, 0).kind == SourceTokenKind::word; }

}  // namespace kiln
