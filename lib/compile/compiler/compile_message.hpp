// The text of a CompileError: the diagnostic, the lines it is about, what to do, the log, the options. Each part has a
// bound, so that a table of megabytes in a source makes no message of megabytes.
#pragma once

#include "compile/compiler/compiler_log.hpp"
#include "compile/compiler/ptx_place.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The line of a text that an error names, and what to show of the text.
struct NumberedLines {
  std::string shown;           // the line, marked, with up to three before and after it that go on from there
  std::string_view marked;     // the line itself
  std::size_t place = 0;       // in it, the byte that the error is about
  std::string_view text = {};  // all of the text that has it
};

/// Lines have the file and number that `#line` gives them, else `name` and their own; the directives themselves are not
/// shown, and of a long line what is around the error. Where several have the error's number, as in a loop that a
/// template wrote out, the first that has what the error quotes. Empty where the text has no such line.
NumberedLines numbered_lines(std::string_view source, const std::string& name, const Diagnostic& error);

struct FailedCompile {
  std::string compiler;  // "NVRTC 13.0"
  std::string name;      // the source's
  std::string_view source;
  const std::map<std::string, std::string>* headers = nullptr;
  std::string log;
  std::vector<std::string> options;
  std::string late_defines = {};  // as late_define_text() has them
  const std::vector<std::string>* name_expressions = nullptr;
  std::string advice = {};                 // what to do about it, where that is known; whole sentences
  std::string end = {};                    // what became of the compiler, where its log has no error
  std::optional<PtxPlace> ptx_place = {};  // of the main error, where that is ptxas' about inline PTX
};

/// Its beginning: what failed, the main error or what became of the compiler, the numbered lines that it is about, and
/// what to do.
std::string failure_headline(const FailedCompile& failed);
/// A title and the log below it, as a message shows it; empty where there is none.
std::string log_part(const char* title, std::string_view log);
/// Options between blanks, quoted where that is needed.
std::string option_text(const std::vector<std::string>& options);
/// Its last line, behind a line's end, where there are late_defines.
std::string late_defines_line(const FailedCompile& failed);
std::string compile_message(const FailedCompile& failed);

}  // namespace kiln
