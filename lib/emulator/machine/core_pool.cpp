#include "emulator/machine/core_pool.hpp"

#include "base/signal_masked_thread.hpp"

#include <kiln/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>

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

void CorePool::start_threads(unsigned count) {
  try {
    for (; threads_ < count; ++threads_) start_signal_masked_thread([this] { help(); }).detach();
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
    work_came_.wait(lock, [&] { return (job = open_job()) != nullptr; });
    --job->wanted;
    ++job->running;
    lock.unlock();
    (*job->work)();
    lock.lock();
    if (--job->running == 0) helper_left_.notify_all();
  }
}

}  // namespace kiln::emulator
