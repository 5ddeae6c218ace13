#include "generate/element_use.hpp"

#include "base/source_token.hpp"
#include "template/signature.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

using Tokens = std::vector<std::string_view>;

template <class... Words>
bool is_one_of(std::string_view token, Words... words) {
  return ((token == words) || ...);
}

/// What may keep a statement behind it from being done.
bool is_control(std::string_view token) {
  return is_one_of(token, "if", "else", "for", "while", "do", "switch", "case", "goto", "?", "&", "|", "{");
}

/// What several elements in one turn of a loop, or their barrier, would not stand.
bool prevents_staging(std::string_view token) {
  return is_one_of(token, "#", "break", "continue", "return", "goto", "asm", "__asm__", "__syncthreads", "__syncwarp",
                   "__shared__", "static", "this");
}

std::string_view at(const Tokens& tokens, std::size_t index) {
  return index < tokens.size() ? tokens[index] : std::string_view();
}

/// How v[i], whose first token is `from`, is used there.
struct Occurrence {
  bool is_at_i = false;
  bool is_assigned = false;  // v[i] = ..., as a statement
  bool is_read = false;      // surely: its value alone, or to be changed
  bool is_only_read = false;
};

Occurrence look_at(const Tokens& tokens, std::size_t from) {
  Occurrence found;
  found.is_at_i = at(tokens, from + 1) == "[" && at(tokens, from + 2) == "i" && at(tokens, from + 3) == "]";
  if (!found.is_at_i) return found;
  const std::string_view before = from > 0 ? tokens[from - 1] : std::string_view(";");
  const std::string_view before_that = from > 1 ? tokens[from - 2] : std::string_view();
  const std::string_view next = at(tokens, from + 4), behind = at(tokens, from + 5);
  const bool is_plain_set = next == "=" && behind != "=";
  found.is_assigned = is_plain_set && is_one_of(before, ";", "}");
  const bool is_operator_set = is_one_of(next, "+", "-", "*", "/", "%", "|", "&", "^") && behind == "=";
  const bool is_shift_set = is_one_of(next, "<", ">") && behind == next && at(tokens, from + 6) == "=";
  const bool is_step =
      (is_one_of(next, "+", "-") && behind == next) || (is_one_of(before, "+", "-") && before == before_that);
  const bool is_part = is_one_of(next, ".", "[", "-") && (next != "-" || behind == ">");
  const bool is_call_argument =
      before == "&" || (is_one_of(before, "(", ",") && is_one_of(next, ",", ")"));  // maybe by reference
  found.is_only_read = !is_plain_set && !is_operator_set && !is_shift_set && !is_step && !is_part && !is_call_argument;
  found.is_read = found.is_only_read || is_operator_set || is_shift_set || is_step;
  return found;
}

bool is_member(const Tokens& tokens, std::size_t index) {
  const std::string_view before = index > 0 ? tokens[index - 1] : std::string_view();
  const std::string_view before_that = index > 1 ? tokens[index - 2] : std::string_view();
  return before == "." || (before == ">" && before_that == "-") || (before == ":" && before_that == ":");
}

bool mentions(const Tokens& tokens, std::string_view name) {
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (tokens[k] == name && !is_member(tokens, k)) return true;
  return false;
}

ElementUse use_of(const GeneratedParameter& vector, const Tokens& tokens) {
  ElementUse use;
  bool all_read = true, is_conditional = false, is_first = true;
  bool is_fit = true;  // to be staged, as far as the order of reading and writing goes
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    is_conditional = is_conditional || is_control(tokens[k]);
    if (tokens[k] != vector.name || is_member(tokens, k)) continue;
    const Occurrence found = look_at(tokens, k);
    if (!found.is_at_i) return {};
    use.only_at_i = true;
    all_read = all_read && found.is_only_read;
    if (found.is_assigned && !is_conditional) use.store = ElementUse::Store::always;
    if (is_first) {
      // A vector that may be left alone is not touched, as its memory may hold nothing yet.
      use.is_loaded = vector.is_const || !found.is_assigned;
      is_fit = vector.is_const || (!is_conditional && (found.is_assigned || found.is_read));
      is_first = false;
    }
  }
  if (!vector.is_const && !all_read && use.store == ElementUse::Store::never)
    use.store = ElementUse::Store::where_changed;
  // What stands right of the `=` is read first: y[i] = a * x[i] + y[i].
  if (use.store == ElementUse::Store::always && !use.is_loaded) {
    std::size_t first = 0;
    while (tokens[first] != vector.name || is_member(tokens, first)) ++first;
    for (std::size_t k = first + 5; k < tokens.size() && tokens[k] != ";"; ++k)
      use.is_loaded = use.is_loaded || tokens[k] == vector.name;
  }
  use.can_be_staged = use.only_at_i && is_fit;
  return use;
}

}  // namespace

std::vector<ElementUse> element_uses(const std::vector<GeneratedParameter>& parameters, std::string_view statement,
                                     const std::vector<std::string_view>& other_texts) {
  const Tokens tokens = significant_tokens(statement);
  const bool is_fit =
      std::none_of(tokens.begin(), tokens.end(), prevents_staging) && statement.find('#') == std::string_view::npos;
  std::vector<ElementUse> uses;
  for (const GeneratedParameter& parameter : parameters) {
    ElementUse use = parameter.is_vector ? use_of(parameter, tokens) : ElementUse();
    const bool is_elsewhere = std::any_of(other_texts.begin(), other_texts.end(), [&](std::string_view text) {
      return text.find(parameter.name) != std::string_view::npos && mentions(significant_tokens(text), parameter.name);
    });
    use.can_be_staged = use.can_be_staged && is_fit && !is_elsewhere;
    uses.push_back(use);
  }
  return uses;
}

bool is_one_assignment(std::string_view statement) {
  Tokens tokens = significant_tokens(statement);
  if (!tokens.empty() && tokens.back() == ";") tokens.pop_back();
  std::size_t assignments = 0;
  int depth = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    depth += is_one_of(tokens[k], "(", "[") ? 1 : is_one_of(tokens[k], ")", "]") ? -1 : 0;
    const bool is_step = is_one_of(tokens[k], "+", "-") && at(tokens, k + 1) == tokens[k];
    const bool is_sequence = tokens[k] == "," && depth == 0;
    if (is_one_of(tokens[k], ";", "{", "&") || is_sequence || is_step) return false;
    const std::string_view before = k > 0 ? tokens[k - 1] : std::string_view();
    const bool is_comparison = is_one_of(before, "=", "!", "<", ">") || at(tokens, k + 1) == "=";
    if (tokens[k] == "=" && !is_comparison) ++assignments;
  }
  return assignments == 1 && !tokens.empty();
}

}  // namespace kiln
