// Texts as NVRTC takes them: it reads a byte 0xFF as the end of the source, without a word.
#pragma once

#include "compile/compiler_job.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// What NVRTC is to be given for a job.
struct NvrtcText {
  std::string name;
  std::string source;
  std::map<std::string, std::string> headers;  // that it gets by their names

  /// Some text that Kiln sees has a #line. NVRTC 13's time trace then takes the end of another header for that of one
  /// that it never began, and a later compile crashes the process: no trace is to be asked for.
  bool has_line_directive = false;

  explicit NvrtcText(const CompilerJob& job);
};

/// Why NVRTC would not read all of the job's texts, and what to do; empty where it does.
std::string unreadable_text(const CompilerJob& job);

}  // namespace kiln
