// Texts as NVRTC takes them: it reads a byte 0xFF as the end of the source, without an error.
#pragma once

#include "compile/compiler/compiler_job.hpp"

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

  explicit NvrtcText(const CompilerJob& job);
};

/// Why NVRTC would not read all of the job's texts, and what to do; empty where it does.
std::string unreadable_text(const CompilerJob& job);

}  // namespace kiln
