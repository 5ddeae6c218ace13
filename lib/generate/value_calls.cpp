#include "generate/value_calls.hpp"

#include "generate/element_occurrence.hpp"

#include <algorithm>

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

/// Behind no class or namespace but std.
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

}  // namespace

bool is_taken_as_value(const OperationTokens& statement, std::size_t from, const OperationTokens& program) {
  return is_argument(statement, from, program) || is_converted(statement, from);
}

}  // namespace kiln
