#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/headers/leading_lines.hpp"
#include "compile/options/known_options.hpp"
#include "compile/request/request.hpp"

#include <algorithm>

namespace kiln {

namespace {

[[noreturn]] void refuse_macro(const Define& define, const std::string& fault, const std::string& expected) {
  throw_argument_error("late_defines: \"" + define.name + "\" " + fault, expected, define.name);
}

/// The directive must end with its line, and name what the checks look for.
void require_directive(const Define& define) {
  const std::string_view word = macro_word(define.name);
  const bool starts_well = !word.empty() && (word[0] < '0' || word[0] > '9');
  if (!starts_well || !std::all_of(word.begin(), word.end(), is_of_identifier))
    refuse_macro(define, "is no name of a macro", "a name such as TILE, or SQUARE(x) with a macro's parameters");
  const std::string text = define.name + " " + define.value;
  if (text.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos || text.ends_with("\\") ||
      text.ends_with("?\?/") || may_go_on(text))
    refuse_macro(
        define,
        "would not end with its line: it has a line's end, \"/*\" without \"*/\", a raw string, or a backslash "
        "at its end; put it among defines",
        "one line");
}

/// The macros that an option defines or undefines.
std::vector<std::string> macros_of_option(const ReadOption& option) {
  std::vector<std::string> macros;
  if (is_option(option, "--define-macro") || is_option(option, "--undefine-macro")) macros.push_back(option.value);
  if (is_option(option, "--compiler-options"))
    for (const std::string& word : passed_words(option.value))
      if (word.starts_with("-D") || word.starts_with("-U")) macros.push_back(word.substr(2));
  for (std::string& macro : macros) macro.resize(std::min(macro.find_first_of("=("), macro.size()));
  return macros;
}

std::vector<std::string> macros_of_options(const std::vector<std::string>& options) {
  std::vector<std::string> macros;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    for (std::string& macro : macros_of_option(option)) macros.push_back(std::move(macro));
    at += option.words;
  }
  return macros;
}

void require_unread(const CompilerJob& job, std::string_view leading, std::string_view word) {
  if (const auto line = line_of_word(leading, word)) refuse_late_define(word, "\"" + job.name + "\"", *line);
  for (const auto& [name, text] : job.headers)
    if (const auto line = line_of_word(text, word))
      refuse_late_define(word, "the in-memory header \"" + name + "\"", *line);
}

}  // namespace

void resolve_late_defines(Request& request, const CompileOptions& options) {
  if (options.late_defines.empty()) return;
  CompilerJob& job = request.job;
  std::vector<std::string> known = macros_of_options(job.arguments);
  const std::string_view leading = std::string_view(job.source).substr(0, leading_lines(job.source).size);
  for (const Define& define : options.late_defines) {
    require_directive(define);
    const std::string word(macro_word(define.name));
    if (std::find(known.begin(), known.end(), word) != known.end())
      refuse_macro(define,
                   "is defined or undefined twice: once in late_defines, and once more there, in defines or by "
                   "an option",
                   "one definition");
    require_unread(job, leading, word);
    job.late_defines.emplace_back(define.name, define.value);
    known.push_back(word);
  }
}

}  // namespace kiln
