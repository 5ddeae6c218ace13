#include "compile/compiler/advice.hpp"

#include "base/bounded_text.hpp"
#include "base/identifier.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/line_advice.hpp"
#include "compile/compiler/line_words.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace kiln {

namespace {

constexpr std::size_t longest_definition = 100;
constexpr int deepest_macros = 4;

struct Macro {
  std::string_view name;
  std::string_view parameters;  // "(x)", directly behind the name; empty where it has none
  std::string_view body;
  std::string place;  // "of line 3"
};

/// The text without its comments and the blanks around it.
std::string_view without_comments(std::string_view text) {
  const auto end = std::min(text.find("//"), text.find("/*"));
  return trimmed(text.substr(0, std::min(end, text.size())));
}

/// Of "N 256", which stands behind #define.
Macro read_macro(std::string_view definition) {
  std::size_t end = 0;
  while (end < definition.size() && is_of_identifier(definition[end])) ++end;
  Macro macro{definition.substr(0, end), {}, definition.substr(end), {}};
  const std::size_t close = macro.body.starts_with('(') ? macro.body.find(')') : std::string_view::npos;
  if (close != std::string_view::npos) {
    macro.parameters = macro.body.substr(0, close + 1);
    macro.body.remove_prefix(close + 1);
  }
  macro.body = without_comments(macro.body);
  return macro;
}

/// The source's own macros; of one that is defined on several lines its first line.
std::vector<Macro> source_macros(std::string_view source) {
  const bool has_own_numbers = contains(source, "#line");
  std::vector<Macro> macros;
  for (int number = 1; !source.empty(); ++number) {
    std::string_view row = trimmed(next_line(source));
    if (!row.starts_with('#')) continue;
    row = trimmed(row.substr(1));
    if (!row.starts_with("define ") || row.ends_with('\\')) continue;
    macros.push_back(read_macro(trimmed(row.substr(7))));
    macros.back().place = has_own_numbers ? "of the source" : "of line " + std::to_string(number);
  }
  return macros;
}

int open_brackets(std::string_view text) {
  int depth = 0;
  for (const std::string_view token : code_tokens(text))
    depth += has_word("( [", token) ? 1 : has_word(") ]", token) ? -1 : 0;
  return depth;
}

std::string shown(const Macro& macro, std::string_view body) {
  return bounded("#define " + std::string(macro.name) + std::string(macro.parameters) + " " + std::string(body),
                 longest_definition);
}

/// What is wrong with the macro's text; empty where nothing is.
std::string fault_of(const Macro& macro, std::string_view error) {
  const std::string subject = "The macro " + std::string(macro.name) + " " + macro.place + " ";
  const bool is_assigned = (macro.body.starts_with('=') && !macro.body.starts_with("==")) ||
                           (macro.body.starts_with(':') && !macro.body.starts_with("::"));
  if (is_assigned)
    return subject + "has the " + std::string(macro.body.substr(0, 1)) + " in its text, where it is used: write " +
           shown(macro, trimmed(macro.body.substr(1), " ;")) + ".";
  const bool is_statement = macro.body.find_first_of("{}") != std::string_view::npos ||
                            macro.body.find(';') + 1 < macro.body.size() || !macro.parameters.empty();
  const bool is_of_syntax = contains(error, "expected ");
  if (macro.body.ends_with(';') && (!is_statement || is_of_syntax))
    return subject + "ends with a semicolon, which stands in the line, too: write " +
           shown(macro, trimmed(macro.body, " ;")) + ".";
  const int open = open_brackets(macro.body);
  if (open != 0 && is_of_syntax)
    return subject + "has a bracket that is not " + (open > 0 ? "closed" : "opened") + ": " + shown(macro, macro.body) +
           ".";
  // "#define sq (x) x * x" has no parameters, and x in its text.
  const auto tokens = code_tokens(macro.body);
  const auto quoted = quoted_words(error);
  const bool has_parameters = macro.parameters.empty() && tokens.size() > 3 && tokens[0] == "(" &&
                              is_of_identifier(tokens[1].front()) && has_word(") ,", tokens[2]);
  const bool is_of_parameter = error.ends_with("\" is undefined") && !quoted.empty() && has_parameters &&
                               std::find(tokens.begin() + 1, tokens.end(), quoted.front()) != tokens.end();
  if (!is_of_parameter) return {};
  return subject + "has a blank before its parameters, so that it has none: write #define " + std::string(macro.name) +
         bounded(macro.body, longest_definition) + ".";
}

std::string fault_in(std::string_view line, const std::vector<Macro>& macros, std::string_view error, int depth) {
  for (const std::string_view word : words_of_line(line))
    for (const Macro& macro : macros) {
      if (macro.name != word) continue;
      std::string fault = fault_of(macro, error);
      if (fault.empty() && depth < deepest_macros) fault = fault_in(macro.body, macros, error, depth + 1);
      if (!fault.empty()) return fault;
    }
  return {};
}

}  // namespace

std::string macro_fault_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  if (trimmed(lines.marked).starts_with('#')) return {};
  std::vector<std::string> definitions;  // of the options, which the macros are views of
  for (std::size_t i = 0; i < failed.options.size(); ++i)
    if (std::string definition = definition_of(failed.options, i); !definition.empty()) {
      const std::size_t equals = definition.find('=');
      if (equals != std::string::npos) definition[equals] = ' ';
      definitions.push_back(std::move(definition));
    }
  std::vector<Macro> macros = source_macros(failed.source);
  for (const std::string& definition : definitions) {
    macros.push_back(read_macro(definition));
    macros.back().place = "of the options";
  }
  return fault_in(lines.marked, macros, error.text, 0);
}

}  // namespace kiln
