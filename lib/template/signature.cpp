#include "template/signature.hpp"

#include "base/source_token.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

using Kind = SourceTokenKind;
using Tokens = std::vector<std::string_view>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_word(std::string_view token) { return source_token(token, 0).kind == Kind::word; }

bool is_restrict(std::string_view word) { return is_one_of(word, {"restrict", "__restrict", "__restrict__"}); }

/// Part of a type, but not a type alone.
bool qualifies(std::string_view word) {
  return is_restrict(word) ||
         is_one_of(word, {"const", "volatile", "struct", "class", "enum", "union", "typename", "register"});
}

bool is_builtin(std::string_view word) {
  return is_one_of(word, {"bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "void",
                          "auto", "wchar_t", "char8_t", "char16_t", "char32_t", "__int128"});
}

/// How a token changes the number of brackets that are open.
int bracket_change(std::string_view token) {
  if (is_one_of(token, {"(", "[", "{"})) return 1;
  return is_one_of(token, {")", "]", "}"}) ? -1 : 0;
}

/// Likewise, where those of templates count too.
int depth_change(std::string_view token) { return token == "<" ? 1 : token == ">" ? -1 : bracket_change(token); }

/// Where the parenthesis is closed that was opened before `from`, or the end. A `<` may be a comparison here.
std::size_t find_close(const Tokens& tokens, std::size_t from) {
  int depth = 1;
  for (std::size_t at = from; at < tokens.size(); ++at)
    if ((depth += bracket_change(tokens[at])) == 0) return at;
  return tokens.size();
}

/// Whether the declaration of which the token `at` is a part begins as a template's.
bool is_of_template(const Tokens& tokens, std::size_t at) {
  while (at > 0 && !is_one_of(tokens[at - 1], {";", "}", "{"}))
    if (tokens[--at] == "template") return true;
  return false;
}

/// Of two marks that are one operator, such as `==`.
bool are_joined(std::string_view left, std::string_view right) { return left.data() + left.size() == right.data(); }

/// Whether the `=` is a token of its own.
bool assigns(const Tokens& tokens, std::size_t at) {
  const bool joins_last =
      at > 0 && are_joined(tokens[at - 1], tokens[at]) && is_one_of(tokens[at - 1], {"=", "!", "<", ">"});
  const bool joins_next = at + 1 < tokens.size() && are_joined(tokens[at], tokens[at + 1]) && tokens[at + 1] == "=";
  return !joins_last && !joins_next;
}

/// The first such token outside of brackets, or the end.
std::size_t find_outside(const Tokens& tokens, std::string_view wanted, std::size_t from = 0) {
  int depth = 0;
  for (std::size_t at = from; at < tokens.size(); ++at) {
    if (depth == 0 && tokens[at] == wanted) return at;
    depth = std::max(0, depth + depth_change(tokens[at]));
  }
  return tokens.size();
}

bool ends_in_name(const Tokens& type) {
  if (type.size() < 2 || !is_word(type.back()) || is_builtin(type.back()) || qualifies(type.back())) return false;
  const std::string_view before = type[type.size() - 2];
  if (!is_word(before)) return is_one_of(before, {"*", "&", ">", "."});
  return std::any_of(type.begin(), type.end() - 1, [](auto word) { return is_word(word) && !qualifies(word); });
}

std::string joined(const Tokens& tokens) {
  std::string text;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (at > 0 && is_word(tokens[at - 1]) && is_word(tokens[at])) text += ' ';
    text += tokens[at];
  }
  return text;
}

std::string type_of(Tokens parameter) {
  const bool is_function = find_outside(parameter, "(") < parameter.size();
  if (is_function) return joined(parameter);
  std::erase_if(parameter, is_restrict);
  const std::size_t array = find_outside(parameter, "[");
  Tokens type(parameter.begin(), parameter.begin() + static_cast<std::ptrdiff_t>(array));
  if (ends_in_name(type)) type.pop_back();
  if (array == parameter.size()) return joined(type);
  const std::size_t rest = std::min(find_outside(parameter, "[", array + 1), parameter.size());
  std::size_t close = array;
  while (close < rest && parameter[close] != "]") ++close;
  return joined(type) + "*" +
         joined(Tokens(parameter.begin() + static_cast<std::ptrdiff_t>(std::min(close + 1, parameter.size())),
                       parameter.end()));
}

std::string types_of(const Tokens& parameters) {
  if (parameters.empty() || (parameters.size() == 1 && parameters[0] == "void")) return {};
  std::string types;
  for (std::size_t begin = 0; begin <= parameters.size();) {
    const std::size_t end = find_outside(parameters, ",", begin);
    if (begin > 0) types += ',';
    types += type_of(Tokens(parameters.begin() + static_cast<std::ptrdiff_t>(begin),
                            parameters.begin() + static_cast<std::ptrdiff_t>(end)));
    begin = end + 1;
  }
  return types;
}

}  // namespace

std::vector<std::string_view> significant_tokens(std::string_view text) {
  Tokens tokens;
  Tokens directive;
  bool is_line_begin = true;
  bool in_directive = false;
  int groups = 0;
  int brackets_in_groups = 0;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    const std::string_view content = text.substr(at, token.size);
    at += token.size;
    if (token.kind == Kind::newline) {
      if (directive.size() > 1 && directive[1].starts_with("if")) ++groups;
      if (directive.size() > 1 && directive[1] == "endif" && --groups == 0 && brackets_in_groups != 0) break;
      directive.clear();
      is_line_begin = true;
      in_directive = false;
    } else if (token.kind != Kind::blank && token.kind != Kind::comment && token.kind != Kind::splice) {
      in_directive |= is_line_begin && content == "#";
      is_line_begin = false;
      if (in_directive)
        directive.push_back(content);
      else if (groups > 0)
        brackets_in_groups += bracket_change(content);
      else
        tokens.push_back(content);
    }
  }
  return tokens;
}

std::string head_spelling(std::string_view qualifiers, std::string_view return_type) {
  return joined(significant_tokens(qualifiers)) + ' ' + joined(significant_tokens(return_type));
}

bool is_template(std::string_view head) {
  const Tokens tokens = significant_tokens(head);
  return std::find(tokens.begin(), tokens.end(), "template") != tokens.end();
}

std::string parameter_types(std::string_view parameters) { return types_of(significant_tokens(parameters)); }

bool has_default(std::string_view parameters) {
  int depth = 0;
  const Tokens tokens = significant_tokens(parameters);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at] == "=" && depth <= 0 && assigns(tokens, at)) return true;
    depth += bracket_change(tokens[at]);  // those of templates do not count: template <class T = float> has one
  }
  return false;
}

std::string signature(std::string_view name, std::string_view parameters) {
  return std::string(name) + "(" + parameter_types(parameters) + ")";
}

std::set<std::string> defined_functions(std::string_view text) {
  const Tokens tokens = significant_tokens(text);
  std::set<std::string> defined;
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string_view token = tokens[at];
    const bool is_linkage = token == "{" && at >= 2 && tokens[at - 2] == "extern";
    // The end of a linkage block closes nothing that was counted.
    if (!is_linkage) depth = std::max(0, depth + bracket_change(token));
    const bool is_called = depth == 0 && at > 0 && is_word(token) && at + 1 < tokens.size() && tokens[at + 1] == "(";
    if (!is_called || is_one_of(tokens[at - 1], {":", ".", ";", "}"})) continue;
    const std::size_t close = find_close(tokens, at + 2);
    if (close + 1 >= tokens.size() || tokens[close + 1] != "{" || is_of_template(tokens, at)) continue;
    const auto begin = tokens.begin();
    const Tokens parameters(begin + static_cast<std::ptrdiff_t>(at + 2), begin + static_cast<std::ptrdiff_t>(close));
    defined.insert(std::string(token) + "(" + types_of(parameters) + ")");
  }
  return defined;
}

}  // namespace kiln
