#include "compile/stopped.hpp"

#include <kiln/error.hpp>

#include <string>

namespace kiln {

void throw_stopped(const CompilerJob& job, std::chrono::nanoseconds elapsed) {
  const bool timed_out = !job.stop.cancel.is_cancelled();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
  throw CompileStopped("the compile of \"" + job.name + "\" was " +
                           (timed_out ? "ended by its timeout" : "called off") + " after " +
                           std::to_string(milliseconds) + " ms of compiling; nothing was stored. " +
                           (timed_out ? "Give CompileOptions::timeout more, or compile again"
                                      : "It may be compiled again, with another token"),
                       timed_out);
}

}  // namespace kiln
