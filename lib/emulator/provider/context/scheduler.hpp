// Pieces of work with an order among them, and the threads that do them behind the host's back.
#pragma once

#include "emulator/provider/context/stream.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace kiln::emulator {

class Context;

/// A piece of work. All but `work` and `context` is guarded by the scheduler's lock.
struct Task {
  Context* context = nullptr;
  Work work;  // empty: a mark, which is done as soon as what it follows is
  std::vector<std::shared_ptr<Task>> followers;
  unsigned awaited = 0;       // tasks that must be done before
  bool by_submitter = false;  // run by the thread that submitted it, which waits for its turn
  bool done = false;
  std::chrono::steady_clock::time_point finished;
};
using TaskPtr = std::shared_ptr<Task>;

class Scheduler {
 public:
  using Lock = std::unique_lock<std::mutex>;
  /// Never destroyed: its threads may run when the process ends.
  static Scheduler& get();

  /// Guards the order: what a stream's last task is, too.
  Lock lock() { return Lock(mutex_); }
  /// Adds a task behind others (null ones and those that are done count for nothing).
  TaskPtr submit(const Lock& lock, Context& context, Work work, std::span<const TaskPtr> after);
  /// The same, but run_here() must be called for it next, without the lock: saves the way to another thread.
  TaskPtr submit_here(const Lock& lock, Context& context, Work work, std::span<const TaskPtr> after);
  void run_here(const TaskPtr& task);
  /// Waits until the task is done; null is.
  void wait(const TaskPtr& task);
  bool is_done(const TaskPtr& task);

 private:
  TaskPtr add(Context& context, Work work, std::span<const TaskPtr> after, bool by_submitter);
  void make_ready(const TaskPtr& task);
  void finish(const TaskPtr& task);
  void run(const TaskPtr& task);
  void want_worker();
  void work();

  std::mutex mutex_;
  std::condition_variable ready_changed_, done_changed_;
  std::deque<TaskPtr> ready_;
  unsigned workers_ = 0, idle_ = 0;
};

}  // namespace kiln::emulator
