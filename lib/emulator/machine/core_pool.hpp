// Threads that help whoever runs a launch.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace kiln::emulator {

/// Its threads start when they are first wanted and wait until the process ends. Thread-safe.
class CorePool {
 public:
  /// One for the process; a child of fork has one of its own, as threads are not inherited.
  static CorePool& get();

  /// Runs `work` on the calling thread and, side by side, on up to `helpers` others; returns when all came back. It
  /// must not throw. The caller does not wait for helpers that are busy elsewhere.
  void run(unsigned helpers, const std::function<void()>& work);

  explicit CorePool(int process) : process_(process) {}

 private:
  struct Job {
    const std::function<void()>* work;
    unsigned wanted;       // helpers that may still come
    unsigned running = 0;  // helpers at it
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
