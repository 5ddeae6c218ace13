#include "compile/worker_pool.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/quiet_thread.hpp"
#include "base/shared_library.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

namespace kiln {

namespace {

constexpr std::size_t most_idle = 16;  // each holds some hundred megabytes of NVRTC's
constexpr std::chrono::seconds longest_idle{5};

}  // namespace

WorkerPool& WorkerPool::get() { return fork_safe_instance<WorkerPool>(); }

// To be called with the mutex locked. Workers of the parent's are let go, not ended: their destructors know.
void WorkerPool::forget_parent() {
  if (generation_ == fork_generation()) return;
  generation_ = fork_generation();
  ender_is_running_ = false;
  idle_.clear();
}

std::unique_ptr<WorkerProcess> WorkerPool::take(const std::string& program) {
  std::vector<std::unique_ptr<WorkerProcess>> useless;  // ended when the mutex is free again
  const std::lock_guard lock(mutex_);
  forget_parent();
  while (!idle_.empty()) {
    std::unique_ptr<WorkerProcess> worker = std::move(idle_.back().worker);
    idle_.pop_back();
    if (worker->can_serve(program)) return worker;
    useless.push_back(std::move(worker));
  }
  return nullptr;
}

void WorkerPool::give_back(std::unique_ptr<WorkerProcess> worker) {
  bool must_start = false;
  {
    const std::lock_guard lock(mutex_);
    forget_parent();
    if (idle_.size() >= most_idle) return;  // the argument is destroyed behind the lock
    idle_.push_back({std::move(worker), Clock::now()});
    must_start = !std::exchange(ender_is_running_, true);
  }
  if (must_start) start_ender();
}

void WorkerPool::clear() {
  std::vector<Idle> ended;
  const std::lock_guard lock(mutex_);
  forget_parent();
  ended.swap(idle_);
  for (const Idle& idle : ended) idle.worker->kill();  // all at once; they are waited for behind the lock
}

/// At the end of this process its workers end by themselves; but who would reap them? Not every container has somebody.
void WorkerPool::watch_exit() {
  static std::atomic<bool> watched{false};
  if (watched.exchange(true)) return;
  keep_own_code_loaded();
  std::atexit([] { get().clear(); });
}

void WorkerPool::start_ender() {
  try {
    watch_exit();
    const auto work = [this] {
      do {
        std::this_thread::sleep_for(longest_idle);
      } while (end_some());
    };
    start_quiet_thread(work).detach();
  } catch (const Error&) {
    {
      const std::lock_guard lock(mutex_);
      ender_is_running_ = false;
    }
    clear();
  }
}

/// Ends those that have waited long enough; whether others are left.
bool WorkerPool::end_some() {
  std::vector<Idle> ended;
  const std::lock_guard lock(mutex_);
  const auto waits = [limit = Clock::now() - longest_idle](const Idle& idle) { return idle.since > limit; };
  const auto first = std::find_if(idle_.begin(), idle_.end(), waits);
  ended.assign(std::make_move_iterator(idle_.begin()), std::make_move_iterator(first));
  idle_.erase(idle_.begin(), first);
  return ender_is_running_ = !idle_.empty();
}

}  // namespace kiln
