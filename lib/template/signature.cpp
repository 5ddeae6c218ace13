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

/// Of a type, but no type by itself.
bool qualifies(std::string_view word) {
  return is_restrict(word) ||
         is_one_of(word, {"const", "volatile", "struct", "class", "enum", "union", "typename", "register"});
}

bool is_builtin(std::string_view word) {
  return is_one_of(word, {"bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "void",
                          "auto", "wchar_t", "char8_t", "char16_t", "char32_t", "__int128"});
}

/// How a token changes the number of brackets that are open; those of templates count too.
int depth_change(std::string_view token) {
  if (is_one_of(token, {"(", "[", "{", "<"})) return 1;
  return is_one_of(token, {")", "]", "}", ">"}) ? -1 : 0;
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
  parameter.erase(std::remove_if(parameter.begin(), parameter.end(), is_restrict), parameter.end());
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
  bool is_line_begin = true;
  bool in_directive = false;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (token.kind == Kind::newline) {
      is_line_begin = true;
      in_directive = false;
    } else if (token.kind != Kind::blank && token.kind != Kind::comment && token.kind != Kind::splice) {
      in_directive |= is_line_begin && text[at] == '#';
      is_line_begin = false;
      if (!in_directive) tokens.push_back(text.substr(at, token.size));
    }
    at += token.size;
  }
  return tokens;
}

std::string parameter_types(std::string_view parameters) { return types_of(significant_tokens(parameters)); }

bool has_default(std::string_view parameters) {
  int depth = 0;
  for (const std::string_view token : significant_tokens(parameters)) {
    if (token == "=" && depth <= 0) return true;
    // Those of templates do not count: template <class T = float> has one.
    if (token != "<" && token != ">") depth += depth_change(token);
  }
  return false;
}

bool defines_function(const std::vector<std::string_view>& tokens, std::string_view name, std::string_view types) {
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string_view token = tokens[at];
    const bool is_linkage = token == "{" && at >= 2 && tokens[at - 2] == "extern";
    if (is_one_of(token, {"(", "[", "{"}) && !is_linkage) ++depth;
    // The end of a linkage block closes nothing that was counted.
    if (is_one_of(token, {")", "]", "}"})) depth = std::max(0, depth - 1);
    const bool is_called = depth == 0 && at > 0 && token == name && at + 1 < tokens.size() && tokens[at + 1] == "(";
    if (!is_called || is_one_of(tokens[at - 1], {":", ".", ";", "}"})) continue;
    const std::size_t close = find_outside(tokens, ")", at + 2);
    if (close + 1 >= tokens.size() || tokens[close + 1] != "{") continue;
    const auto begin = tokens.begin();
    if (types_of(Tokens(begin + static_cast<std::ptrdiff_t>(at + 2), begin + static_cast<std::ptrdiff_t>(close))) ==
        types)
      return true;
  }
  return false;
}

}  // namespace kiln
