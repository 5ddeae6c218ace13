#include "compile/compiler/line_advice.hpp"

#include "base/identifier.hpp"
#include "base/source_token.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/advice.hpp"
#include "compile/compiler/class_member.hpp"
#include "compile/compiler/line_words.hpp"
#include "compile/compiler/template_mark.hpp"
#include "compile/compiler/undeclared_name.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kiln {

namespace {

std::size_t end_in(std::string_view line, std::string_view word) {
  return static_cast<std::size_t>(word.data() - line.data()) + word.size();
}

/// The word with nothing but blanks between it and the place.
std::string_view word_before(std::string_view line, std::size_t place) {
  line = trimmed(line.substr(0, place));
  const auto words = words_of_line(line);
  return !words.empty() && end_in(line, words.back()) == line.size() ? words.back() : std::string_view();
}

std::string_view statement_at(std::string_view line, std::size_t place) {
  constexpr std::string_view ends = ";{}";
  place = std::min(place, line.size());
  const std::size_t end = std::min(line.find_first_of(ends, place), line.size());
  const std::size_t before = line.substr(0, place).find_last_of(ends);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return line.substr(begin, end - begin);
}

/// Whether the number at the place is like 1j.
bool ends_in_j(std::string_view line, std::size_t place) {
  const std::size_t end = line.find_first_not_of("0123456789.eE", std::min(place, line.size()));
  return end != std::string_view::npos && (line[end] == 'j' || line[end] == 'J');
}

/// Where a line is C++ to a compiler, and another language to its author.
std::string advice_for_language(const Diagnostic& error, std::string_view source_line, std::size_t place) {
  const std::string_view text = error.text;
  if (contains(text, "operand of \"*\" must be a pointer") && contains(source_line, "**"))
    return "C++ has no operator **: write x * x, or pow(x, y).";
  if (contains(text, "user-defined literal operator not found") && ends_in_j(source_line, place))
    return "Numbers that end in j are Python's: write pycuda::complex<float>(0, 1) with <pycuda-complex.hpp>, or "
           "make_cuFloatComplex(0, 1).";
  if (contains(text, "must have integral or unscoped enum type") && contains(statement_at(source_line, place), "%"))
    return "The operator % is for integers: write fmodf(x, y) of float, or fmod(x, y) of double.";
  if (contains(text, "expected a \"(\"") && has_word("if while for", word_before(source_line, place)))
    return "A condition stands in parentheses, and no colon is behind it: if (i < n) { ... }.";
  if (contains(text, "must be a modifiable lvalue"))
    return "What stands on the left cannot be assigned: something const, a __constant__ variable, which kernels only "
           "read and the host sets (Module::get_global), a whole array, or a comparison, which is ==.";
  if (contains(text, "\"restrict\" is not allowed"))
    return "__restrict__ is of the pointer and stands behind its *: const float* __restrict__ x.";
  if (contains(text, "expected a") && word_before(source_line, place) == "restrict")
    return undeclared_name_advice("restrict", {}, {});
  if (contains(text, "declaration is incompatible with previous") && contains(source_line, "extern") &&
      contains(source_line, "__shared__"))
    return "The extern __shared__ arrays of one name have one type: give each type a name of its own, or declare "
           "extern __shared__ unsigned char of the largest alignment (alignas(16)) and cast its address.";
  return {};
}

/// Of a directive that lacks what belongs behind it.
std::string advice_for_directive(std::string_view text, std::string_view line) {
  const auto words = words_of_line(line);
  if (!trimmed(line).starts_with('#') || words.size() != 1 || !contains(text, "expected a")) return {};
  const std::string name(words.front());
  if (name == "elif") return "#elif needs a condition, as in #elif defined(NAME): of all other cases it is #else.";
  if (name == "if") return "#if needs a condition, as in #if N > 4 or #if defined(NAME).";
  if (has_word("ifdef ifndef define undef", name))
    return "#" + name + " needs the name of a macro" + (name == "define" ? ", and its value." : ".");
  return {};
}

/// Whether the text has `#define NAME` and nothing behind it.
bool is_defined_empty_in(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view row = trimmed(next_line(text));
    if (!row.starts_with('#')) continue;
    const auto words = words_of_line(row);
    if (words.size() == 2 && words[0] == "define" && words[1] == name && end_in(row, words[1]) == row.size())
      return true;
  }
  return false;
}

std::string advice_for_empty_macro(std::string_view text, const NumberedLines& lines, const FailedCompile& failed) {
  const std::string_view line = lines.marked;
  std::string_view name;
  if (contains(text, "expected an expression")) name = word_before(line, lines.place);
  std::vector<std::string_view> names{name};
  if (contains(text, "incomplete type") && contains(text, "["))
    for (const std::string_view word : words_of_line(line))
      if (character_behind(line, word) == ']') names.push_back(word);
  for (const std::string_view word : names) {
    bool is_empty = !word.empty() && is_defined_empty_in(failed.source, word);
    for (std::size_t i = 0; i < failed.options.size() && !word.empty(); ++i)
      is_empty |= definition_of(failed.options, i) == std::string(word) + "=";
    if (!is_empty) continue;
    std::string advice = "The macro ";
    advice.append(word).append(" is defined as nothing: give it a value, such as #define ").append(word);
    return advice.append(" 16 or -D").append(word).append("=16.");
  }
  return {};
}

/// Of a template within extern "C", whose names C++ does not have.
std::string advice_for_linkage(const Diagnostic& error, std::string_view line, std::string_view source) {
  if (!contains(error.text, "may not have extern \"C\" linkage")) return {};
  constexpr std::string_view no_need = " Kiln finds kernels by their C++ names, too.";
  const auto of_line = code_tokens(line);
  const bool is_alone = std::find(of_line.begin(), of_line.end(), "extern") != of_line.end();
  if (is_alone) return "A template has no name of C: leave extern \"C\" out before it." + std::string(no_need);
  int open = 0;
  int number = 1;
  for (; number < error.line && !source.empty(); ++number)
    if (contains(next_line(source), "extern \"C\"")) open = number;
  return "A template has no name of C: close the extern \"C\" {" +
         (open == 0 ? std::string() : " of line " + std::to_string(open)) + " before it, and open it again behind it." +
         std::string(no_need);
}

/// Where Java's or C#'s brackets stand behind the type: "float[] x".
std::string advice_for_brackets(const Diagnostic& error, std::string_view line) {
  const auto tokens = code_tokens(line);
  for (std::size_t i = 3; i < tokens.size() && contains(error.text, "expected a"); ++i) {
    const bool is_array = tokens[i - 2] == "[" && tokens[i - 1] == "]" && begins_identifier(tokens[i].front()) &&
                          begins_identifier(tokens[i - 3].front());
    if (!is_array) continue;
    const std::string type(tokens[i - 3]);
    const std::string name(tokens[i]);
    std::string advice = "The brackets of an array stand behind its name: " + type;
    advice.append("* ").append(name).append(" as a parameter, and ").append(type).append(" ").append(name);
    return advice.append("[16] as a variable.");
  }
  return {};
}

/// The line of the last brace that is open where the source's line of that number begins; 0 where none is.
int open_brace_above(std::string_view source, int line) {
  std::vector<int> open;
  int number = 1;
  for (std::size_t at = 0; at < source.size();) {
    const SourceToken token = source_token(source, at);
    const std::string_view text = source.substr(at, std::max<std::size_t>(token.size, 1));
    if (number >= line) break;
    if (text == "{") open.push_back(number);
    if (text == "}" && !open.empty()) open.pop_back();
    number += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    at += text.size();
  }
  return open.empty() ? 0 : open.back();
}

/// Where a line's first word comes too early: what is above it is not at its end.
std::string advice_for_lines_above(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  const std::string_view line = lines.marked;
  const std::string_view head = trimmed(line.substr(0, std::min(lines.place, line.size())));
  const auto words = words_of_line(line);
  const bool is_declaration =
      !words.empty() && has_word("__global__ __device__ __host__ template extern struct namespace", words.front());
  // Of a function's head a compiler names a later place.
  const bool is_first = head.empty() || (is_declaration && head.find_first_of("{;=") == std::string_view::npos);
  if (error.file != failed.name || !is_first || !contains(error.text, "expected a \";\"")) return {};
  if (contains(failed.source, "#line")) return {};  // which makes numbers of its own
  const int open = open_brace_above(failed.source, error.line);
  if (open != 0 && is_declaration)
    return "The { of line " + std::to_string(open) + " is not closed above this line: a } is missing.";
  int last = 0;
  std::string_view rest = failed.source;
  for (int number = 1; number < error.line && !rest.empty(); ++number)
    if (!trimmed(next_line(rest)).empty()) last = number;
  if (last == 0) return {};
  return "It is missing at the end of line " + std::to_string(last) + ", as also behind the } of a struct or class.";
}

/// Where a macro of the options has the name of a template's parameter.
std::string advice_for_parameter(const Diagnostic& error, std::string_view line, const FailedCompile& failed) {
  const auto words = words_of_line(line);
  if (!contains(error.text, "expected ") || std::find(words.begin(), words.end(), "template") == words.end()) return {};
  for (std::size_t i = 0; i < failed.options.size(); ++i) {
    const std::string definition = definition_of(failed.options, i);
    const std::string macro = definition.substr(0, definition.find_first_of("=("));
    if (macro.empty() || std::find(words.begin(), words.end(), macro) == words.end()) continue;
    std::string advice = "The macro ";
    advice.append(macro).append(" of the options replaces the template's parameter of that name: leave it out, and ");
    return advice.append("name the instance by \"kernel<").append(macro).append(">\" of a tuning, or \"kernel<4>\".");
  }
  return {};
}

/// Where the text is no source at all, or has names of another expression.
std::string advice_for_text(const Diagnostic& error, const FailedCompile& failed) {
  const std::string_view source = trimmed(failed.source);
  const bool is_name = source.find_first_of(" \n{;(") == std::string_view::npos;
  if (is_name && (source.ends_with(".cu") || source.ends_with(".cuh") || source.ends_with(".ptx")))
    return "This text is to be the source, and looks like a file's name: SourceModule::from_file reads a file.";
  if (has_word("reduce_expr scan_expr", error.file) && error.text.ends_with("\" is undefined"))
    return error.file + " makes one value of two, which are a and b.";
  return {};
}

}  // namespace

std::string definition_of(const std::vector<std::string>& options, std::size_t i) {
  for (const std::string_view prefix : {"--define-macro=", "-D"})
    if (options[i].size() > prefix.size() && options[i].starts_with(prefix)) return options[i].substr(prefix.size());
  const bool is_alone = options[i] == "-D" || options[i] == "--define-macro";
  return is_alone && i + 1 < options.size() ? options[i + 1] : std::string();
}

std::string line_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  const std::string_view text = error.text;
  const std::string_view line = lines.marked;
  for (std::string advice : {advice_for_directive(text, line), advice_for_linkage(error, line, failed.source),
                             advice_for_brackets(error, line), advice_for_language(error, line, lines.place),
                             call_advice(error, lines, failed), vector_advice(error, line),
                             array_advice(error, lines, failed), advice_for_empty_macro(text, lines, failed),
                             class_member_advice(error, failed.source), advice_for_lines_above(error, lines, failed),
                             advice_for_parameter(error, line, failed), advice_for_text(error, failed)})
    if (!advice.empty()) return advice;
  const bool may_be_mark = contains(text, "expected a") || contains(text, "unrecognized token") ||
                           text.ends_with("\" is undefined") || contains(text, "level of braces") ||
                           contains(text, "brace-enclosed list") || contains(text, "\"#\" not expected");
  return may_be_mark ? template_mark_advice(line, lines.place) : std::string();
}

}  // namespace kiln
