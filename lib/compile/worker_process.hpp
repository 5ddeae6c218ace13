// One worker: a process of kiln-worker, and the channel to it.
#pragma once

#include "base/owned_descriptor.hpp"
#include "base/stop_wait.hpp"
#include "base/temporary_folder.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// For one thread at a time. Destroyed, it ends the process and reaps it; in a child of fork it only lets go of it.
class WorkerProcess {
 public:
  /// Throws Error where the program cannot be started.
  explicit WorkerProcess(const std::string& program);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Whether it waits for a job, started by this process as that program, in what is the working folder now: relative
  /// folders in a job count from there.
  bool can_serve(const std::string& program) const;

  enum class Outcome { answered, stopped, lost };
  /// Sends a job and waits for the answer, which is empty where the worker sent something else. What it logs meanwhile
  /// is logged here. Any other outcome is the end of this worker.
  Outcome ask(std::string_view job, const StopWait& stop, std::string& answer) const;

  struct Death {
    std::string how;         // "was ended by signal 11 (SIGSEGV)"
    std::string last_words;  // what it wrote to its standard error
  };
  /// Has it end soon.
  void kill() const;
  /// Ends it, where it has not ended itself, and tells how it did.
  Death end();

 private:
  struct Folder {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
  };
  static Folder working_folder();
  std::string last_words() const;

  std::string program_;
  TemporaryFolder folder_of_own_{temporary_files(), "worker"};  // NVRTC leaves precompiled headers in TMPDIR
  Folder folder_;
  std::uint64_t generation_;
  pid_t process_ = -1;
  OwnedDescriptor channel_;
  OwnedDescriptor errors_;  // a file in memory
};

}  // namespace kiln
