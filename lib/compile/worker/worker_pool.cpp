#include "compile/worker/worker_pool.hpp"

#include "base/fork_safe_instance.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

namespace kiln {

namespace {

constexpr std::size_t most_idle = 16;  // each holds some hundred megabytes of NVRTC's
/// So much earlier than it ends itself a worker gets no job any more: a job and an end could cross on their ways.
constexpr std::chrono::milliseconds margin{1000};

}  // namespace

WorkerPool& WorkerPool::get() { return fork_safe_instance<WorkerPool>(); }

// To be called with the mutex locked. Workers of the parent's are let go, not ended: their destructors know.
void WorkerPool::reset_after_fork() {
  if (generation_ == fork_generation()) return;
  generation_ = fork_generation();
  idle_.clear();
}

// To be called with the mutex locked: those that have ended themselves, or are about to.
std::vector<WorkerPool::Idle> WorkerPool::take_old() {
  const auto serves = [limit = Clock::now() - (longest_idle - margin)](const Idle& idle) { return idle.since > limit; };
  const auto first = std::find_if(idle_.begin(), idle_.end(), serves);
  std::vector<Idle> old(std::make_move_iterator(idle_.begin()), std::make_move_iterator(first));
  idle_.erase(idle_.begin(), first);
  return old;
}

std::unique_ptr<WorkerProcess> WorkerPool::take(const std::string& program, const std::string& group) {
  std::vector<Idle> useless;  // ended when the mutex is free again
  const std::lock_guard lock(mutex_);
  reset_after_fork();
  useless = take_old();
  for (auto idle = idle_.end(); idle != idle_.begin();) {
    --idle;
    const bool serves = idle->worker->can_serve(program);
    if (serves && !idle->worker->fits(group)) continue;
    Idle taken = std::move(*idle);
    idle = idle_.erase(idle);
    if (serves) return std::move(taken.worker);
    useless.push_back(std::move(taken));
  }
  return nullptr;
}

void WorkerPool::give_back(std::unique_ptr<WorkerProcess> worker) {
  std::vector<Idle> old;
  const std::lock_guard lock(mutex_);
  reset_after_fork();
  old = take_old();
  if (idle_.size() < most_idle) idle_.push_back({std::move(worker), Clock::now()});  // else ended behind the lock
}

void WorkerPool::clear() {
  std::vector<Idle> ended;
  const std::lock_guard lock(mutex_);
  reset_after_fork();
  ended.swap(idle_);
  for (const Idle& idle : ended) idle.worker->kill();  // all at once; they are waited for behind the lock
}

}  // namespace kiln
