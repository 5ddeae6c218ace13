#include "emulator/provider/context/scheduler.hpp"

#include "base/signal_masked_thread.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/context.hpp"
#include "emulator/provider/context/process.hpp"

#include <utility>

namespace kiln::emulator {
namespace {

// As many grids as run concurrently on a GPU; further work has to wait.
constexpr unsigned most_workers = 128;

}  // namespace

Scheduler& Scheduler::get() {
  static Scheduler& scheduler = *new Scheduler;
  return scheduler;
}

TaskPtr Scheduler::submit(const Lock&, Context& context, Work work, std::span<const TaskPtr> after) {
  return add(context, std::move(work), after, false);
}

TaskPtr Scheduler::submit_here(const Lock&, Context& context, Work work, std::span<const TaskPtr> after) {
  return add(context, std::move(work), after, true);
}

TaskPtr Scheduler::add(Context& context, Work work, std::span<const TaskPtr> after, bool by_submitter) {
  auto task = std::make_shared<Task>();
  task->context = &context;
  task->work = std::move(work);
  task->by_submitter = by_submitter;
  for (const TaskPtr& before : after) {
    if (before == nullptr || before->done) continue;
    before->followers.push_back(task);
    ++task->awaited;
  }
  if (task->awaited == 0) make_ready(task);
  return task;
}

// A loop, not a recursion: a chain of marks may be long.
void Scheduler::make_ready(const TaskPtr& first) {
  std::vector<TaskPtr> all{first};
  while (!all.empty()) {
    const TaskPtr task = std::move(all.back());
    all.pop_back();
    if (task->by_submitter) {
      done_changed_.notify_all();
    } else if (task->work) {
      ready_.push_back(task);
      want_worker();
    } else {
      task->done = true;
      task->finished = std::chrono::steady_clock::now();
      for (TaskPtr& follower : task->followers)
        if (--follower->awaited == 0) all.push_back(std::move(follower));
      task->followers.clear();
      done_changed_.notify_all();
    }
  }
}

void Scheduler::finish(const TaskPtr& task) {
  task->work = nullptr;  // waiters expect the memory that it held to be free
  const Lock lock(mutex_);
  task->by_submitter = false;
  make_ready(task);
}

void Scheduler::run(const TaskPtr& task) {
  Context& context = *task->context;
  const DefaultFloatEnvironment environment;  // for each task, because a host function may change it
  if (task->work && context.error() == CUDA_SUCCESS) {
    CUresult result = CUDA_ERROR_UNKNOWN;
    try {
      result = task->work();
    } catch (...) {
      result = result_of_exception("work of a stream");
    }
    if (result != CUDA_SUCCESS) set_kernel_failure(result);
  }
  finish(task);
}

void Scheduler::run_here(const TaskPtr& task) {
  {
    Lock lock(mutex_);
    done_changed_.wait(lock, [&] { return task->awaited == 0; });
  }
  run(task);
}

void Scheduler::wait(const TaskPtr& task) {
  if (task == nullptr) return;
  Lock lock(mutex_);
  done_changed_.wait(lock, [&] { return task->done; });
}

bool Scheduler::is_done(const TaskPtr& task) {
  const Lock lock(mutex_);
  return task == nullptr || task->done;
}

void Scheduler::want_worker() {
  if (idle_ >= ready_.size()) {
    ready_changed_.notify_one();
    return;
  }
  if (workers_ == most_workers) return;
  try {
    start_signal_masked_thread([this] { work(); }).detach();
    ++workers_;
  } catch (const std::exception&) {
    if (workers_ == 0) throw;  // otherwise another worker thread takes the task
  }
}

void Scheduler::work() {
  Lock lock(mutex_);
  for (;;) {
    ++idle_;
    ready_changed_.wait(lock, [&] { return !ready_.empty(); });
    --idle_;
    const TaskPtr task = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    run(task);
    lock.lock();
  }
}

}  // namespace kiln::emulator
