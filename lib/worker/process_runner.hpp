// The one door to programs that are run for their output. Production code uses ProcessRunner::real(); tests put a fake
// in its place.
#pragma once

#include "base/spawn.hpp"
#include "base/stop.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct ProcessRequest {
  std::vector<std::string> arguments;                     // [0] is the program, an absolute path
  std::optional<std::vector<std::string>> environment{};  // "NAME=value"; nothing: this process's
  std::string working_folder{};                           // empty: this process's
  Stop stop{};
  std::size_t max_output = std::size_t{16} << 20;  // bytes kept of each stream; the rest is read and dropped
};

struct ProcessResult {
  ExitStatus exit;
  std::string output;
  std::string errors;
  bool truncated = false;  // more was written than was kept
  bool stopped = false;    // it was ended because the request's stop was due
  std::chrono::nanoseconds elapsed{};
};

class ProcessRunner {
 public:
  static ProcessRunner& real();
  virtual ~ProcessRunner() = default;

  /// Runs a program with no input and waits for its end; reads both streams as they come. Where the stop is due, its
  /// whole process group gets SIGTERM, and two seconds later SIGKILL; the same where it ended and left children that
  /// hold a stream open; one that left the group and holds it is let go. Where the stop is due already nothing is
  /// started, and the exit is unknown. Installs no signal handler. Throws Error where it does not start. Thread-safe.
  virtual ProcessResult run(const ProcessRequest& request) = 0;
};

}  // namespace kiln
