#include "emulator/machine/core_pool.hpp"

#include "base/signal_masked_thread.hpp"

#include <kiln/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace kiln::emulator {

CorePool& CorePool::get() {
  // Never destroyed: its threads still wait when the process exits.
  static std::atomic<CorePool*> kept{nullptr};
  const int process = ::getpid();
  CorePool* known = kept.load(std::memory_order_acquire);
  if (known != nullptr && known->process_ == process) return *known;
  auto fresh = std::make_unique<CorePool>(process);
  if (kept.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *known;
}

void CorePool::run(unsigned helpers, const std::function<void()>& work) {
  Job job{&work, helpers};
  if (helpers > 0) {
    const std::lock_guard lock(mutex_);
    start_threads(helpers);
    jobs_.push_back(&job);
  }
  if (helpers > 0) work_came_.notify_all();
  work();
  if (helpers == 0) return;
  std::unique_lock lock(mutex_);
  job.wanted = 0;
  jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
  helper_left_.wait(lock, [&] { return job.running == 0; });
}

bool CorePool::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  posted_.push_back(std::move(work));
  try {
    if (idle_ < posted_.size()) start_thread();
  } catch (const Error&) {
    if (threads_ == 0) {
      posted_.pop_back();
      return false;
    }
  }
  work_came_.notify_one();
  return true;
}

void CorePool::start_thread() {
  start_signal_masked_thread([this] { help(); }).detach();
  ++threads_;
}

void CorePool::start_threads(unsigned count) {
  try {
    while (threads_ < count) start_thread();
  } catch (const Error&) {
    // Without more threads: the caller works alone, or with those that exist.
  }
}

CorePool::Job* CorePool::open_job() {
  for (Job* const job : jobs_)
    if (job->wanted > 0) return job;
  return nullptr;
}

void CorePool::help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Job* job = nullptr;
    ++idle_;
    work_came_.wait(lock, [&] { return !posted_.empty() || (job = open_job()) != nullptr; });
    --idle_;
    if (!posted_.empty()) {
      std::function<void()> work = std::move(posted_.front());
      posted_.pop_front();
      lock.unlock();
      work();
      work = nullptr;  // what it holds ends without the lock
      lock.lock();
      continue;
    }
    --job->wanted;
    ++job->running;
    lock.unlock();
    (*job->work)();
    lock.lock();
    if (--job->running == 0) helper_left_.notify_all();
  }
}

}  // namespace kiln::emulator
