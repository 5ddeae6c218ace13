#include "generate/element_use.hpp"

#include "generate/element_occurrence.hpp"
#include "generate/operation_tokens.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kiln {

namespace {

bool is_of_mathematics(std::string_view name) {
  return is_one_of(name, "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
                   "cos", "cosh", "cospi", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1",
                   "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "ilogb", "isfinite", "isinf",
                   "isnan", "labs", "ldexp", "lgamma", "llabs", "llrint", "llround", "log", "log10", "log1p", "log2",
                   "logb", "lrint", "lround", "max", "min", "nearbyint", "nextafter", "normcdf", "normcdfinv", "pow",
                   "rcbrt", "remainder", "rhypot", "rint", "round", "rsqrt", "scalbln", "scalbn", "signbit", "sin",
                   "sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma", "trunc");
}

/// Names with two underscores before are the compiler's own: __expf, __half2float. None takes a reference.
bool is_of_cuda(std::string_view name) {
  const bool is_of_float = name.size() > 1 && name.back() == 'f';
  return name.substr(0, 2) == "__" || is_of_mathematics(name) ||
         (is_of_float && is_of_mathematics(name.substr(0, name.size() - 1)));
}

/// After no class or namespace but std.
bool is_of_no_scope(const OperationTokens& tokens, std::size_t name) {
  if (!is_member(tokens, name)) return true;
  const std::string_view scope = token_at(tokens, name - 3);
  return tokens[name - 1] == ":" && (scope == "std" || !is_word(scope));
}

/// Whether each use of the name is a call.
bool is_only_called(const OperationTokens& tokens, std::string_view name) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k] != name) continue;
    const std::string_view before = token_at(tokens, k - 1);
    const bool is_declared = is_word(before) && !is_one_of(before, "return", "else", "do", "case");
    if (token_at(tokens, k + 1) != "(" || is_declared) return false;
  }
  return true;
}

/// Of the call that the token is inside of: its `(`, or else the count of tokens.
std::size_t opening_before(const OperationTokens& tokens, std::size_t at) {
  int depth = 0;
  while (at-- > 0) {
    if (is_one_of(tokens[at], ")", "]", "}")) ++depth;
    if (!is_one_of(tokens[at], "(", "[", "{")) continue;
    if (depth == 0) return tokens[at] == "(" ? at : tokens.size();
    --depth;
  }
  return tokens.size();
}

bool is_argument(const OperationTokens& tokens, std::size_t from, const OperationTokens& program) {
  if (!is_one_of(token_at(tokens, from - 1), "(", ",") || !is_one_of(token_at(tokens, from + 4), ")", ","))
    return false;
  const std::size_t opening = opening_before(tokens, from);
  if (opening == 0 || opening == tokens.size()) return false;
  const std::string_view name = tokens[opening - 1];
  if (is_type_word(name)) return true;
  return is_of_cuda(name) && is_of_no_scope(tokens, opening - 1) && is_only_called(tokens, name) &&
         std::find(program.begin(), program.end(), name) == program.end();
}

/// (unsigned char)v[i]
bool is_converted(const OperationTokens& tokens, std::size_t from) {
  if (token_at(tokens, from - 1) != ")" || !is_one_of(token_at(tokens, from + 4), "", ";", ",", ")", ":")) return false;
  std::size_t first = from - 1;
  while (first > 0 && is_type_word(tokens[first - 1])) --first;
  return first < from - 1 && token_at(tokens, first - 1) == "(" && !is_word(token_at(tokens, first - 2));
}

// Functions and conversions that take their arguments as values, by their names.

/// Whether v[i], whose four tokens begin at `from`, is such an argument: `sqrtf(v[i])`, `float(v[i])`, `(float)v[i]`.
/// `program`: the other texts of the program, whose functions are unknown.
bool is_taken_as_value(const OperationTokens& statement, std::size_t from, const OperationTokens& program) {
  return is_argument(statement, from, program) || is_converted(statement, from);
}

/// What may keep a statement after it from being done.
bool is_control(std::string_view token) {
  return is_one_of(token, "if", "else", "for", "while", "do", "switch", "case", "goto", "?", "&", "|", "{");
}

/// What several elements in one turn of a loop would not stand.
bool prevents_staging(std::string_view token) {
  return is_one_of(token, "#", "break", "continue", "return", "goto", "asm", "__asm", "__asm__", "__shared__", "static",
                   "this");
}

/// Names whose value depends on the thread: the result then depends on which thread has which element.
bool tells_threads(std::string_view token) {
  constexpr std::string_view end = "_sync";
  const bool is_of_warp = token.size() > end.size() && token.substr(token.size() - end.size()) == end;
  return is_of_warp || token.substr(0, 6) == "__sync" ||
         is_one_of(token, "threadIdx", "blockIdx", "blockDim", "gridDim", "__activemask", "cooperative_groups");
}

/// Beyond that, what would make a macro more than a value.
bool is_no_value(std::string_view token) {
  return prevents_staging(token) || is_one_of(token, "if", "else", "for", "while", "do", "switch", "case", "{", "}",
                                              ";", "=", "&", "i", "decltype");
}

bool is_capital(std::string_view token) {
  return token.size() > 1 && is_word(token) &&
         std::none_of(token.begin(), token.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// CHECK(...) as a statement: perhaps with a `continue` in it.
bool may_be_macro(const OperationTokens& tokens, std::size_t k) {
  const bool begins = is_one_of(token_at(tokens, k - 1), "", ";", "{", "}", ")", "else", "do");
  return begins && is_capital(tokens[k]) && is_one_of(token_at(tokens, k + 1), "", "(", ";");
}

bool has_macro(const OperationTokens& tokens, const std::vector<OperationMacro>& macros) {
  const bool all_values = std::all_of(macros.begin(), macros.end(), [](const OperationMacro& macro) {
    return std::none_of(macro.body.begin(), macro.body.end(), is_no_value);
  });
  const auto is_macro = [&](std::string_view token) {
    return std::any_of(macros.begin(), macros.end(), [&](const auto& macro) { return macro.name == token; });
  };
  if (!all_values && std::any_of(tokens.begin(), tokens.end(), is_macro)) return true;
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (may_be_macro(tokens, k) && !is_macro(tokens[k])) return true;
  return false;
}

/// Whether the statement has an i of its own, or changes it.
bool has_own_i(const OperationTokens& tokens) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k] != "i" || is_member(tokens, k)) continue;
    const std::string_view before = token_at(tokens, k - 1), next = token_at(tokens, k + 1);
    const std::string_view behind = token_at(tokens, k + 2);
    const bool is_declared = is_word(before) && !is_one_of(before, "return", "else", "case", "do", "sizeof");
    const bool is_in_list = (before == "," && next == ";") || (before == "[" && next == ",");
    const bool is_set = next == "=" && behind != "=" && !is_one_of(before, "<", ">", "!", "=");
    const bool is_changed = is_one_of(next, "+", "-", "*", "/", "%", "|", "&", "^") && behind == "=";
    const bool is_step = (is_one_of(next, "+", "-") && behind == next) ||
                         (is_one_of(before, "+", "-") && before == token_at(tokens, k - 2));
    if (is_declared || is_in_list || is_set || is_changed || is_step) return true;
  }
  return false;
}

bool mentions(const OperationTokens& tokens, std::string_view name) {
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (tokens[k] == name && !is_member(tokens, k)) return true;
  return false;
}

/// y[i] = a * x[i] + y[i]: what stands right of the `=` is read first.
bool reads_itself(const OperationTokens& tokens, std::size_t from) {
  int depth = 0;
  for (std::size_t k = from + 5; k < tokens.size() && (depth > 0 || tokens[k] != ";"); ++k) {
    depth += is_one_of(tokens[k], "(", "{", "[") ? 1 : is_one_of(tokens[k], ")", "}", "]") ? -1 : 0;
    if (tokens[k] == tokens[from] && !is_member(tokens, k)) return true;
  }
  return false;
}

/// `program`: the tokens of its other texts.
ElementUse use_of(const GeneratedParameter& vector, const OperationTokens& tokens, const OperationTokens& program) {
  ElementUse use;
  bool all_read = true, is_conditional = false, is_first = true;
  bool is_fit = true;  // to be staged, as far as the order of reading and writing goes
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    is_conditional = is_conditional || is_control(tokens[k]);
    if (tokens[k] != vector.name || is_member(tokens, k)) continue;
    ElementOccurrence found = look_at(tokens, k);
    if (!found.is_at_i) return {};
    if (is_taken_as_value(tokens, k, program)) found.is_only_read = found.is_read = true;
    use.only_at_i = true;
    is_fit = is_fit && !found.is_address;
    all_read = all_read && found.is_only_read;
    if (found.is_assigned && !is_conditional) use.store = ElementUse::Store::always;
    if (is_first) {
      // A vector that may be left alone is not touched, as its memory may hold nothing yet.
      use.is_loaded = vector.is_const || !found.is_assigned || reads_itself(tokens, k);
      is_fit = is_fit && (vector.is_const || (!is_conditional && (found.is_assigned || found.is_read)));
      is_first = false;
    }
  }
  if (!vector.is_const && !all_read && use.store == ElementUse::Store::never)
    use.store = ElementUse::Store::where_changed;
  use.can_be_staged = use.only_at_i && is_fit;
  return use;
}

}  // namespace

std::vector<ElementUse> element_uses(const std::vector<GeneratedParameter>& parameters, std::string_view statement,
                                     const OperationContext& context) {
  const OperationTokens tokens = operation_tokens(statement), loop_prep = operation_tokens(context.loop_prep);
  OperationTokens program = operation_tokens(context.preamble);
  for (const OperationTokens& more : {operation_tokens(context.defines), loop_prep})
    program.insert(program.end(), more.begin(), more.end());
  std::vector<OperationMacro> macros = macros_of(context.preamble);
  for (OperationMacro& macro : macros_of(context.defines)) macros.push_back(std::move(macro));
  const auto has = [](const OperationTokens& text, bool (*is_such)(std::string_view)) {
    return std::any_of(text.begin(), text.end(), is_such);
  };
  const bool is_fit = !has(tokens, prevents_staging) && !has(tokens, tells_threads) && !has(program, tells_threads) &&
                      !has_macro(tokens, macros);
  const bool has_other_i = has_own_i(tokens);
  std::vector<ElementUse> uses;
  for (const GeneratedParameter& parameter : parameters) {
    ElementUse use = parameter.is_vector && !has_other_i ? use_of(parameter, tokens, program) : ElementUse();
    const bool is_in_macro = std::any_of(macros.begin(), macros.end(), [&](const OperationMacro& macro) {
      return mentions(macro.body, parameter.name);
    });
    const bool has_other_name = !parameter.is_const && mentions(loop_prep, parameter.name);
    use.can_be_staged = use.can_be_staged && is_fit && !is_in_macro && !has_other_name && !parameter.is_volatile;
    uses.push_back(use);
  }
  return uses;
}

bool is_any_order(const std::vector<GeneratedParameter>& parameters, const std::vector<ElementUse>& uses,
                  std::string_view statement, const OperationContext& context) {
  const OperationTokens tokens = operation_tokens(statement);
  const auto is_vector_at_i = [&](std::size_t k) {
    if (token_at(tokens, k - 1) != "[" || token_at(tokens, k + 1) != "]" || is_member(tokens, k - 2)) return false;
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (parameters[p].name == token_at(tokens, k - 2)) return uses[p].only_at_i;
    return false;
  };
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (tokens[k] == "i" && !is_member(tokens, k) && !is_vector_at_i(k)) return false;
  const auto has_i = [](const OperationMacro& macro) { return mentions(macro.body, "i"); };
  const std::vector<OperationMacro> ours = macros_of(context.preamble), given = macros_of(context.defines);
  return std::none_of(ours.begin(), ours.end(), has_i) && std::none_of(given.begin(), given.end(), has_i);
}

bool is_one_assignment(std::string_view statement) {
  OperationTokens tokens = operation_tokens(statement);
  if (!tokens.empty() && tokens.back() == ";") tokens.pop_back();
  std::size_t assignments = 0;
  int depth = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    depth += is_one_of(tokens[k], "(", "[") ? 1 : is_one_of(tokens[k], ")", "]") ? -1 : 0;
    const bool is_step = is_one_of(tokens[k], "+", "-") && token_at(tokens, k + 1) == tokens[k];
    const bool is_sequence = tokens[k] == "," && depth == 0;
    if (is_one_of(tokens[k], ";", "{", "&", "#", "for", "while", "do") || is_sequence || is_step) return false;
    const bool is_comparison = is_one_of(token_at(tokens, k - 1), "=", "!", "<", ">") || token_at(tokens, k + 1) == "=";
    if (tokens[k] == "=" && !is_comparison) ++assignments;
  }
  return assignments == 1;
}

}  // namespace kiln
