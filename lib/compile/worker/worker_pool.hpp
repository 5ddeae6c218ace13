// The idle workers of this process.
#pragma once

#include "base/fork_safe_mutex.hpp"
#include "compile/worker/worker_process.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Keeps workers for the next job, a bounded number of them. They end by themselves some seconds later, or with this
/// process. Thread-safe, also across fork: a child has no workers of its parent's.
class WorkerPool {
 public:
  static WorkerPool& get();

  /// The last worker that can do the job and fits its group, or null.
  std::unique_ptr<WorkerProcess> take(const std::string& program, const std::string& group = {});
  /// Ends it where there are enough of them.
  void give_back(std::unique_ptr<WorkerProcess> worker);
  /// Ends all that wait here.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  struct Idle {
    std::unique_ptr<WorkerProcess> worker;
    Clock::time_point since;
  };

  void reset_after_fork();
  std::vector<Idle> take_old();

  ForkSafeMutex mutex_;
  std::uint64_t generation_ = fork_generation();
  std::vector<Idle> idle_;  // the longest idle first
};

}  // namespace kiln
