// A compile that was called off.
#pragma once

#include "compile/compiler_job.hpp"

#include <chrono>

namespace kiln {

/// Throws the CompileStopped for a job whose stop is due, after so long.
[[noreturn]] void throw_stopped(const CompilerJob& job, std::chrono::nanoseconds elapsed);

}  // namespace kiln
