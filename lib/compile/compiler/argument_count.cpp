#include "compile/compiler/argument_count.hpp"

#include "base/bounded_text.hpp"
#include "base/identifier.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/line_words.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace kiln {

namespace {

using Tokens = std::vector<std::string_view>;

constexpr std::size_t longest_declaration = 200;

/// How many arguments a function takes.
struct Takes {
  std::size_t least = 0, most = 0;
  std::string text = {};  // "scale(float* x, float by) of line 3"
};

/// CUDA's functions that are not overloaded, by the number of their arguments.
constexpr std::string_view functions_of_cuda[] = {
    "__syncthreads __threadfence __threadfence_block __threadfence_system __activemask clock clock64 __trap",
    "sqrtf rsqrtf cbrtf rcbrtf expf exp2f exp10f expm1f logf log2f log10f log1pf sinf cosf tanf sinpif cospif asinf "
    "acosf atanf sinhf coshf tanhf asinhf acoshf atanhf erff erfcf erfinvf erfcinvf erfcxf normcdff normcdfinvf "
    "tgammaf "
    "lgammaf floorf ceilf roundf rintf truncf nearbyintf fabsf __expf __exp10f __logf __log2f __log10f __sinf __cosf "
    "__tanf __saturatef __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __float_as_int __int_as_float "
    "__float2int_rn __nanosleep __syncthreads_or __syncthreads_and __syncthreads_count",
    "powf fmaxf fminf fmodf atan2f hypotf rhypotf copysignf fdividef __fdividef __powf fdimf remainderf ldexpf "
    "nextafterf "
    "__mul24 __umul24 __mulhi __umulhi __fadd_rn __fsub_rn __fmul_rn __fdiv_rn",
    "fmaf sincosf __sincosf __fmaf_rn norm3df rnorm3df __sad __usad __byte_perm memcpy memset",
};

bool is_name(std::string_view token) { return !token.empty() && begins_identifier(token.front()); }

/// Behind the "<...>" that begins at `open`, where what is in it may be template arguments; else `open`.
std::size_t behind_template_arguments(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    if (token == "<") ++depth;
    if (token == ">" && --depth == 0) return i + 1;
    const bool may_be_argument = is_of_identifier(token.front()) || has_word("< > , : * &", token);
    if (!may_be_argument) break;
  }
  return open;
}

/// The texts between the bracket at `open` and the one that closes it, which commas divide.
std::vector<Tokens> listed_parts(const Tokens& tokens, std::size_t open) {
  std::vector<Tokens> parts;
  const std::size_t close = closing_bracket(tokens, open);
  for (std::size_t i = open + 1; i < close; ++i) {
    if (parts.empty()) parts.emplace_back();
    if (tokens[i] == ",") {
      parts.emplace_back();
      continue;
    }
    std::size_t end = i;
    if (has_word("( [ {", tokens[i])) end = std::min(closing_bracket(tokens, i), close - 1);
    if (tokens[i] == "<" && is_name(tokens[i - 1])) end = std::max(behind_template_arguments(tokens, i), i + 1) - 1;
    parts.back().insert(parts.back().end(), tokens.begin() + static_cast<std::ptrdiff_t>(i),
                        tokens.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    i = end;
  }
  return parts;
}

/// The index of the "(" that is open at the place; nothing where none is.
std::optional<std::size_t> open_at(const Tokens& tokens, const char* place) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].data() < place; ++i) {
    if (has_word("( [ {", tokens[i])) open.push_back(i);
    if (has_word(") ] }", tokens[i]) && !open.empty()) open.pop_back();
  }
  while (!open.empty() && tokens[open.back()] == "[") open.pop_back();
  if (open.empty() || tokens[open.back()] != "(") return std::nullopt;
  return open.back();
}

/// The name that stands before the "(", perhaps with template arguments; empty where none does.
std::string_view name_before(const Tokens& tokens, std::size_t open) {
  std::size_t at = open;
  for (int depth = 0; at > 0 && (depth > 0 || tokens[at - 1] == ">"); --at) {
    depth += (tokens[at - 1] == ">") - (tokens[at - 1] == "<");
    if (depth > 0) continue;
    --at;
    break;
  }
  const std::string_view name = at == 0 ? std::string_view() : tokens[at - 1];
  return is_name(name) && !has_word("if while for switch return sizeof", name) ? name : std::string_view();
}

/// Whether what stands before the name at `at`, up to the statement's beginning, declares it: a type.
bool has_type_before(const Tokens& tokens, std::size_t at) {
  while (at >= 3 && tokens[at - 1] == ":" && tokens[at - 2] == ":" && is_name(tokens[at - 3])) at -= 3;
  int angles = 0;
  bool has_word_before = false;
  while (at > 0 && !has_word("; { }", tokens[at - 1])) {
    const std::string_view token = tokens[--at];
    angles += (token == ">") - (token == "<");
    if (token == ")") {  // of an attribute, such as __launch_bounds__(256)
      int depth = 1;
      while (at > 0 && depth > 0) {
        --at;
        depth += (tokens[at] == ")") - (tokens[at] == "(");
      }
      if (at == 0 || !begins_with_any(tokens[at - 1], "__ alignas")) return false;
      continue;
    }
    if (has_word("return else do throw goto case default new delete", token)) return false;
    has_word_before |= is_name(token);
    if (!is_of_identifier(token.front()) && token.front() != '"' && !has_word("* & < > : ,", token)) return false;
    if (token == "," && angles == 0) return false;
  }
  return has_word_before && angles == 0;
}

/// How many arguments the parameters at `open` take; nothing where they are none, or are without an end.
std::optional<Takes> parameters(const Tokens& tokens, std::size_t open) {
  const std::vector<Tokens> all = listed_parts(tokens, open);
  if (all.size() == 1 && all[0].size() == 1 && all[0][0] == "void") return Takes{};
  Takes takes{0, all.size()};
  for (const Tokens& one : all) {
    if (one.empty() || !is_name(one.front()) || has_word("true false nullptr", one.front())) return std::nullopt;
    const bool has_dots = std::find(one.begin(), one.end(), ".") != one.end();
    if (has_dots) return std::nullopt;
    takes.least += std::find(one.begin(), one.end(), "=") == one.end();
  }
  return takes;
}

/// What a text declares of that name; nothing where it has no declaration, or several that differ.
std::optional<Takes> declared_in(std::string_view text, std::string_view name, const std::string& file) {
  std::optional<Takes> found;
  const Tokens tokens = code_tokens(text);
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != name || tokens[i + 1] != "(" || !has_type_before(tokens, i)) continue;
    const std::size_t close = closing_bracket(tokens, i + 1);
    if (close + 1 >= tokens.size() || !has_word("{ ; : - const noexcept override final", tokens[close + 1])) continue;
    std::optional<Takes> takes = parameters(tokens, i + 1);
    if (!takes) continue;
    if (found && found->most != takes->most) return std::nullopt;
    if (found) {
      found->least = std::min(found->least, takes->least);
      continue;
    }
    takes->text = bounded(text_between(tokens[i], tokens[close]), longest_declaration);
    const std::string_view above = text.substr(0, static_cast<std::size_t>(tokens[i].data() - text.data()));
    if (!contains(text, "#line"))  // which makes numbers of its own
      takes->text += " of line " + std::to_string(1 + std::count(above.begin(), above.end(), '\n'));
    if (!file.empty()) takes->text += " of " + file;
    found = std::move(takes);
  }
  return found;
}

std::optional<Takes> declaration_of(std::string_view name, const FailedCompile& failed) {
  if (auto found = declared_in(failed.source, name, {})) return found;
  if (failed.headers != nullptr)
    for (const auto& [file, text] : *failed.headers)
      if (auto found = declared_in(text, name, file)) return found;
  const std::string text(name);
  if (name.starts_with("make_") && name.back() >= '1' && name.back() <= '4') {
    const auto size = static_cast<std::size_t>(name.back() - '0');
    return Takes{size, size, text};
  }
  for (std::size_t count = 0; count < std::size(functions_of_cuda); ++count)
    if (has_word(functions_of_cuda[count], name)) return Takes{count, count, text};
  return std::nullopt;
}

std::string arguments_text(std::size_t count) {
  if (count == 0) return "no arguments";
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

/// "T" and "N" of "template <class T, int N>", with an argument for each.
struct TemplateParameter {
  std::string_view name;
  const char* example;
};

/// The parameters of the template whose function's name is at `at`; empty where it is none.
std::vector<TemplateParameter> template_parameters(const Tokens& tokens, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && !has_word("; { }", tokens[begin - 1])) --begin;
  if (tokens[begin] != "template" || begin + 1 >= at || tokens[begin + 1] != "<") return {};
  const std::size_t end = behind_template_arguments(tokens, begin + 1);
  std::vector<TemplateParameter> all;
  for (std::size_t i = begin + 3; i < end; ++i) {
    if (!has_word(", >", tokens[i]) || !is_name(tokens[i - 1])) continue;
    all.push_back({tokens[i - 1], has_word("class typename", tokens[i - 2]) ? "float" : "4"});
  }
  return all;
}

/// How many template arguments the call at the error's place names.
std::size_t named_arguments(const NumberedLines& lines, std::string_view name) {
  const std::string_view rest = lines.marked.substr(std::min(lines.place, lines.marked.size()));
  const Tokens tokens = code_tokens(rest);
  auto at = std::find(tokens.begin(), tokens.end(), name);
  if (at == tokens.end() || ++at == tokens.end() || *at != "<") return 0;
  const auto open = static_cast<std::size_t>(at - tokens.begin());
  const std::size_t end = behind_template_arguments(tokens, open);
  return 1 + static_cast<std::size_t>(std::count(at, tokens.begin() + static_cast<std::ptrdiff_t>(end), ","));
}

}  // namespace

std::string deduction_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  const auto quoted = quoted_words(error.text);
  if (!contains(error.text, "no instance of function template") || quoted.empty() || lines.text.empty()) return {};
  const std::string_view name = quoted.front();
  const Tokens tokens = code_tokens(failed.source);
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != name || tokens[i + 1] != "(" || !has_type_before(tokens, i)) continue;
    const auto all = template_parameters(tokens, i);
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = tokens.begin() + static_cast<std::ptrdiff_t>(closing_bracket(tokens, i + 1));
    std::size_t count = 0;  // with the last that no parameter of the function has
    for (std::size_t k = 0; k < all.size(); ++k)
      if (std::find(first, last, all[k].name) == last) count = k + 1;
    if (count <= named_arguments(lines, name)) return {};
    std::string text = "The arguments of " + std::string(name) + " do not say what its template's " +
                       std::string(all[count - 1].name) + " is: name it, as in " + std::string(name) + "<";
    for (std::size_t k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + std::string(all[k].example);
    return text + ">(...).";
  }
  return {};
}

std::string_view called_name(const NumberedLines& lines) {
  const Tokens tokens = code_tokens(lines.text);
  const auto open = open_at(tokens, lines.marked.data() + std::min(lines.place, lines.marked.size()));
  return open ? name_before(tokens, *open) : std::string_view();
}

std::string argument_count_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  const bool are_few = contains(error.text, "too few arguments in function call");
  const bool are_many = contains(error.text, "too many arguments in function call");
  const bool do_not_match = contains(error.text, "no instance of function template") ||
                            contains(error.text, "no instance of overloaded function");
  if (!are_few && !are_many && !do_not_match) return {};
  const Tokens tokens = code_tokens(lines.text);
  const char* const place = lines.marked.data() + std::min(lines.place, lines.marked.size());
  std::optional<std::size_t> open = open_at(tokens, place);
  if (do_not_match) {  // The place is that of the name.
    auto at =
        std::find_if(tokens.begin(), tokens.end(), [place](std::string_view token) { return token.data() >= place; });
    while (at != tokens.end() && *at != "(") ++at;
    if (at == tokens.end()) return {};
    open = static_cast<std::size_t>(at - tokens.begin());
  }
  const std::string_view name = open ? name_before(tokens, *open) : std::string_view();
  const auto quoted = quoted_words(error.text);
  if (name.empty() || (do_not_match && (quoted.empty() || !quoted.front().ends_with(name)))) return {};
  const std::size_t given = listed_parts(tokens, *open).size();
  const auto takes = declaration_of(name, failed);
  const bool differs = takes && (given < takes->least || given > takes->most);
  if (do_not_match && !differs) return {};
  if (!differs)
    return std::string(name) + " is given " + arguments_text(given) +
           (are_few ? ", and takes more." : ", and takes fewer.");
  const std::string range = takes->least == takes->most ? "" : std::to_string(takes->least) + " to ";
  return takes->text + " takes " + range + arguments_text(takes->most) + ", and is given " +
         (given == 0 ? "none" : std::to_string(given)) + ".";
}

}  // namespace kiln
