// The worker threads that launches share.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace kiln::emulator {

/// Threads start when they are first needed and run until the process ends. Thread-safe.
class CorePool {
 public:
  /// One for the process. A child of fork gets its own, as it does not inherit threads.
  static CorePool& get();

  /// Runs `work` on the calling thread and at the same time on up to `helpers` worker threads; returns when all have
  /// finished. It must not throw. Does not wait for worker threads that are busy.
  void run(unsigned helpers, const std::function<void()>& work);

  /// Runs `work` on a worker thread of its own, later: one more starts if none is idle. It must not throw. False if it
  /// can never run, because the process has no worker thread and can start none.
  bool post(std::function<void()> work);

  explicit CorePool(int process) : process_(process) {}

 private:
  struct Job {
    const std::function<void()>* work;
    unsigned wanted;       // worker threads that may still join
    unsigned running = 0;  // worker threads that run it
  };

  void start_threads(unsigned count);
  void start_thread();
  void help();
  Job* open_job();

  const int process_;
  std::mutex mutex_;
  std::condition_variable work_came_, helper_left_;
  std::deque<Job*> jobs_;
  std::deque<std::function<void()>> posted_;
  unsigned threads_ = 0, idle_ = 0;
};

}  // namespace kiln::emulator
