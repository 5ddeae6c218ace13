// Tasks with dependencies, and the worker threads that run them asynchronously.
#pragma once

#include <cuda.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace kiln::emulator {

/// Work of a stream; runs later, on another thread. An error that it returns or throws becomes the sticky error of the
/// context.
using Work = std::function<CUresult()>;

/// Appends work to a stream (null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD as for the driver). In a stream that is
/// being captured it becomes a node of that kind. Throws CallError for an unknown stream.
void enqueue(CUstream stream, Work work, const char* kind = "other");
/// Waits until all work of the stream is done. Returns the sticky error, if any.
CUresult synchronize(CUstream stream);

class Context;

/// A task. All members but `work` and `context` are guarded by the scheduler's lock.
struct Task {
  Context* context = nullptr;
  Work work;  // empty: a mark, which is done when its dependencies are
  std::vector<std::shared_ptr<Task>> followers;
  unsigned awaited = 0;       // unfinished dependencies
  bool by_submitter = false;  // run by the thread that submitted it, which waits for it
  bool done = false;
  std::chrono::steady_clock::time_point finished;
};
using TaskPtr = std::shared_ptr<Task>;

class Scheduler {
 public:
  using Lock = std::unique_lock<std::mutex>;
  /// Never destroyed: its threads may still run when the process ends.
  static Scheduler& get();

  /// Guards the dependencies, and the last task of each stream.
  Lock lock() { return Lock(mutex_); }
  /// Adds a task with dependencies (null and finished ones are ignored).
  TaskPtr submit(const Lock& lock, Context& context, Work work, std::span<const TaskPtr> after);
  /// The same, but the caller must call run_here() next, without the lock: saves the switch to another thread.
  TaskPtr submit_here(const Lock& lock, Context& context, Work work, std::span<const TaskPtr> after);
  void run_here(const TaskPtr& task);
  /// Waits until the task is done; null is done.
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
