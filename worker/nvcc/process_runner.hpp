// The one interface to programs that are run for their output. Production code uses ProcessRunner::real(); tests
// replace it by a fake.
#pragma once

#include "base/spawn.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace kiln {

struct ProcessRequest {
  std::vector<std::string> arguments;    // [0] is the program, an absolute path
  std::vector<std::string> environment;  // "NAME=value"
  std::string working_folder = "/";
  std::size_t max_output = std::size_t{16} << 20;  // bytes kept of each stream; the rest is read and dropped
};

struct ProcessResult {
  ExitStatus exit;
  std::string output;
  std::string errors;
  bool truncated = false;  // more was written than was kept
};

class ProcessRunner {
 public:
  static ProcessRunner& real();
  virtual ~ProcessRunner() = default;

  /// Runs a program with no input, in a process group of its own, and waits for its end, for as long as it takes: what
  /// is to stop it ends this process (the worker's monitor does). Where it ended and left children that hold a stream
  /// open, its group is killed; one that left the group and holds it is let go. Where the calling thread ends, the
  /// program does. All other descriptors of this process become close-on-exec. Throws Error where it does not start.
  /// For a process of one thread and little memory, as it forks.
  virtual ProcessResult run(const ProcessRequest& request) = 0;
};

}  // namespace kiln
