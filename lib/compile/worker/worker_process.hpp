// One worker: a process of kiln-worker, which is an orphan, and the channel to it.
#pragma once

#include "base/owned_descriptor.hpp"
#include "base/stop_wait.hpp"
#include "compile/worker/worker_channel.hpp"
#include "compile/worker/worker_start.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// kiln-worker says hello within milliseconds, where the machine is not overloaded.
constexpr std::chrono::milliseconds hello_timeout{60'000};
/// A worker without a job ends by itself after so long.
constexpr std::chrono::milliseconds longest_idle{5000};

/// For one thread at a time. Destroyed, it ends the process with all that it has started; in a child of fork it only
/// lets go of it.
class WorkerProcess {
 public:
  /// Throws Error where the program cannot be started.
  explicit WorkerProcess(const std::string& program, std::chrono::milliseconds idle = longest_idle);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Whether it waits for a job, started by this process as that program, by the same user, in what is the working
  /// folder now, from which relative folders in a job count, and where temporary files go to the same place.
  bool can_serve(const std::string& program) const;

  /// Whether all of its jobs so far had this group, or none.
  bool fits(const std::string& group) const { return group.empty() || group_.empty() || group == group_; }
  /// Assigns its next job's group; empty for a job without one.
  void join(const std::string& group) {
    if (!group.empty()) group_ = group;
  }

  enum class Start { ready, failed, silent, stopped };
  /// Waits until it has said hello. failed: it ended instead, or is of another build; silent: it said nothing for so
  /// long; stopped: the stop was due first.
  Start wait_for_hello(const Stop& stop, std::chrono::milliseconds timeout = hello_timeout);
  /// Ends it after failed or silent; what went wrong: "ended with exit status 2. It said: ...".
  std::string why_no_hello(Start start);
  WorkerOrigin origin() const noexcept { return origin_; }

  enum class Outcome { answered, stopped, lost };
  /// Sends a job and waits for the answer, which is empty where the worker sent something else. What it logs meanwhile
  /// is logged here. Any other outcome is the end of this worker.
  Outcome run(std::string_view job, const StopWait& stop, std::string& answer);

  /// The last folder that it made for the job and that stays; empty without one.
  const std::string& kept_folder() const noexcept { return kept_folder_; }

  struct Death {
    std::string how;           // "was ended by signal 11 (SIGSEGV)"
    std::string error_output;  // what it wrote to its standard error
  };
  /// Has it end soon.
  void kill() const;
  /// Ends it, where it has not ended itself; how it ended.
  Death end();

 private:
  /// What a process has from its parent.
  struct Surroundings {
    std::uint64_t device = 0;  // of the working folder
    std::uint64_t inode = 0;
    uid_t user = 0;
    gid_t group = 0;
    std::string temporary_files;
    bool operator==(const Surroundings&) const = default;
  };
  static Surroundings surroundings();
  void require_channel() const;
  bool greet(const ChannelWait& wait);
  std::string how_it_ended() const;
  std::string error_output() const;

  std::string program_;
  Surroundings surroundings_;
  std::uint64_t generation_;
  WorkerOrigin origin_ = WorkerOrigin::program;
  bool is_greeted_ = false;
  std::string kept_folder_;
  std::string group_;
  OwnedDescriptor channel_;
  OwnedDescriptor control_;
  OwnedDescriptor errors_;   // a file in memory
  OwnedDescriptor adopted_;  // the monitor, where this process adopts orphans and must reap it
};

}  // namespace kiln
