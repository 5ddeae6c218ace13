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

  explicit CorePool(int process) : process_(process) {}

 private:
  struct Job {
    const std::function<void()>* work;
    unsigned wanted;       // worker threads that may still join
    unsigned running = 0;  // worker threads that run it
  };

  void start_threads(unsigned count);
  void help();
  Job* open_job();

  const int process_;
  std::mutex mutex_;
  std::condition_variable work_came_, helper_left_;
  std::deque<Job*> jobs_;
  unsigned threads_ = 0;
};

}  // namespace kiln::emulator
