// The text of a CompileError: the diagnostic, the lines it is about, the log, the options.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A compiler's word on one place: `file(line): error: text`, `file:line:column: error: text`, or libnvvm's
/// `file (line, column): parse text`.
struct Diagnostic {
  std::string file;
  int line = 0;
  std::string text;
};

/// The log with each `from`, the compiler's name of a file, replaced by `to`; unchanged if `from` is empty.
std::string with_name(std::string log, std::string_view from, std::string_view to);

/// The first error of a log, or nothing.
std::optional<Diagnostic> first_error(std::string_view log);

/// The line that an error names, marked, with up to three before and after it that go on from there. Lines have the
/// file and number that `#line` gives them, else `name` and their own; the directives themselves are not shown. Where
/// several have the error's number, as in a loop that a template wrote out, the first that has what the error quotes.
/// Empty where the text has no such line.
std::string numbered_lines(std::string_view source, const std::string& name, const Diagnostic& error);

struct FailedCompile {
  std::string compiler;  // "NVRTC 13.0"
  std::string name;      // the source's
  std::string_view source;
  const std::map<std::string, std::string>* headers = nullptr;
  std::string log;
  std::vector<std::string> options;
  std::string late_defines = {};  // as late_define_text() has them
  const std::vector<std::string>* name_expressions = nullptr;
  std::string advice = {};  // what to do about it, where that is known; whole sentences
};

/// Its beginning: what failed, the first diagnostic, and the numbered lines that it is about.
std::string failure_headline(const FailedCompile& failed);
/// Its last line, behind a line's end, where there are late_defines.
std::string late_defines_line(const FailedCompile& failed);
std::string compile_message(const FailedCompile& failed);

}  // namespace kiln
