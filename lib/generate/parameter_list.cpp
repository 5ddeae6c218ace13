#include "generate/parameter_list.hpp"

#include "base/argument_error.hpp"
#include "generate/element_occurrence.hpp"
#include "generate/operation_tokens.hpp"
#include "generate/reserved_text.hpp"
#include "template/balance.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace kiln {

namespace {

constexpr std::string_view own_names[] = {"i", "n"};

int depth_change(std::string_view token) {
  if (token == "(" || token == "[" || token == "{" || token == "<") return 1;
  return token == ")" || token == "]" || token == "}" || token == ">" ? -1 : 0;
}

/// The text between the first and the last of some tokens of it.
std::string text_between(const std::vector<std::string_view>& tokens) {
  const char* const begin = tokens.front().data();
  return {begin, static_cast<std::size_t>(tokens.back().data() + tokens.back().size() - begin)};
}

/// The words that say what the last `*` points to, but for template arguments.
std::vector<std::string_view> pointee_words(const std::vector<std::string_view>& tokens) {
  std::vector<std::string_view> words;
  const auto star = std::find(tokens.rbegin(), tokens.rend(), "*");
  int depth = 0;
  for (auto token = star == tokens.rend() ? star : star + 1; token != tokens.rend(); ++token) {
    depth += depth_change(*token);
    if (depth == 0) words.push_back(*token);
    if (depth == 0 && *token == "*") break;  // of a pointer to pointers
  }
  return words;
}

template <class... Words>
bool has_any(const std::vector<std::string_view>& tokens, Words... words) {
  return std::any_of(tokens.begin(), tokens.end(), [&](std::string_view token) { return ((token == words) || ...); });
}

bool is_name(std::string_view token) {
  return is_word(token) && !has_any({token}, "const", "volatile", "__restrict__", "bool", "char", "short", "int",
                                    "long", "unsigned", "signed", "float", "double", "void");
}

GeneratedParameter parse(std::vector<std::string_view> tokens, const std::string& subject) {
  const std::string text = text_between(tokens);
  const bool is_array = tokens.size() > 2 && tokens[tokens.size() - 2] == "[" && tokens.back() == "]";
  const std::string_view name = is_array ? tokens[tokens.size() - 3] : tokens.back();
  if (tokens.size() < 2 || !is_name(name))
    refuse(subject, "a type and a name for each argument, such as \"const float* x\"", '"' + text + '"');
  if (is_array) refuse(subject, "a pointer for a vector", '"' + text + '"', ": write \"float* x\" for \"float x[]\"");
  const bool is_vector = has_any(tokens, "*");
  const std::vector<std::string_view> pointee = pointee_words(tokens);
  const bool is_of_bytes =
      !has_any(pointee, "*") && has_any(pointee, "char", "bool", "void", "byte", "int8_t", "uint8_t");
  const bool is_of_class = std::any_of(pointee.begin(), pointee.end(), [](std::string_view token) {
    return is_word(token) && !is_type_word(token) && !has_any({token}, "volatile", "void", "__restrict__");
  });
  return {text,        std::string(name), is_vector, has_any(pointee, "const"), has_any(pointee, "volatile"),
          is_of_bytes, is_of_class};
}

void check_name(const std::vector<GeneratedParameter>& before, const std::string& name, const std::string& subject) {
  if (std::find(std::begin(own_names), std::end(own_names), name) != std::end(own_names))
    refuse(subject, "another name", '"' + name + '"', ", which means something else in a generated kernel");
  if (std::any_of(before.begin(), before.end(), [&](const auto& other) { return other.name == name; }))
    refuse(subject, "one argument of a name", '"' + name + "\" twice");
}

}  // namespace

std::vector<GeneratedParameter> parse_parameters(std::string_view text, const std::string& subject) {
  refuse_reserved(text, subject);
  check_inline_balance(text, subject);
  std::vector<GeneratedParameter> parameters;
  std::vector<std::string_view> tokens;
  const auto end_one = [&] {
    if (tokens.empty())
      refuse(subject, "a C parameter list, such as \"float a, const float* x\"", '"' + std::string(text) + '"');
    GeneratedParameter one = parse(std::move(tokens), subject);
    check_name(parameters, one.name, subject);
    parameters.push_back(std::move(one));
    tokens.clear();
  };
  int depth = 0;
  for (const std::string_view token : operation_tokens(text)) {
    if (token == ";" || token == "=" || token == "{")
      refuse(subject, "a C parameter list with commas between its arguments, and no defaults",
             '"' + std::string(text) + '"');
    depth += depth_change(token);
    if (depth == 0 && token == ",")
      end_one();
    else
      tokens.push_back(token);
  }
  end_one();
  return parameters;
}

std::string parameters_text(const std::vector<GeneratedParameter>& parameters) {
  std::string text;
  for (const GeneratedParameter& parameter : parameters) text += (text.empty() ? "" : ", ") + parameter.text;
  return text;
}

}  // namespace kiln
