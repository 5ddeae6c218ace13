#include "compile/compiler/stopped.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

std::string limit_text(const Stop& stop) {
  return stop.limit.count() > 0 ? " of " + std::to_string(stop.limit.count()) + " ms" : std::string();
}

}  // namespace

void throw_stopped(const std::string& name, const Stop& stop, std::chrono::nanoseconds elapsed,
                   const std::string& kept_folder) {
  const bool timed_out = !stop.cancel.is_cancelled();
  const bool by_token = !timed_out && stop.cancel.state()->is_source_cancelled();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
  std::string message = "the compile of \"" + (name.empty() ? std::string("kernel.cu") : name) + "\" was " +
                        (timed_out ? "ended by its timeout" + limit_text(stop) : "called off");
  if (milliseconds > 0) message += " after " + std::to_string(milliseconds) + " ms of compiling";
  message += "; nothing was stored. ";
  message += timed_out ? "Allow it more time (CompileOptions::timeout, or kiln compile --timeout), or compile again"
                       : "It may be compiled again";
  if (by_token) message += ", with another token";
  if (!kept_folder.empty()) message += ". Its working folder is kept: " + kept_folder;
  throw CompileStopped(message, timed_out);
}

}  // namespace kiln
