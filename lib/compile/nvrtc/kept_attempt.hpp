// What CompileOptions::keep keeps of a compile by NVRTC, which itself leaves nothing behind.
#pragma once

#include "compile/compiler/compiler_job.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Writes the source, the in-memory headers, the options, the log and the code (empty where there is none) into a new
/// folder below TMPDIR, or /tmp; its path. Throws Error where it cannot.
std::string keep_attempt(const CompilerJob& job, const std::vector<std::string>& options, const std::string& log,
                         std::string_view code);

}  // namespace kiln
