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

/// The first error of a log, or nothing.
std::optional<Diagnostic> first_error(std::string_view log);

/// Up to three lines before and after `line` (counted from 1), numbered, the line itself marked.
std::string numbered_lines(std::string_view source, int line);

struct FailedCompile {
  std::string compiler;  // "NVRTC 13.0"
  std::string name;      // the source's
  std::string_view source;
  const std::map<std::string, std::string>* headers = nullptr;
  std::string log;
  std::vector<std::string> options;
  std::string advice = {};  // what to do about it, where that is known; whole sentences
};

/// Its beginning: what failed, the first diagnostic, and the numbered lines that it is about.
std::string failure_headline(const FailedCompile& failed);
std::string compile_message(const FailedCompile& failed);

}  // namespace kiln
