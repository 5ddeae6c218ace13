#include "tune/compile_ahead.hpp"

#include "base/passkey.hpp"
#include "base/signal_masked_thread.hpp"

#include <kiln/error.hpp>

#include <utility>

namespace kiln {

CompileAhead::CompileAhead(TuneTarget& target, unsigned threads, const CancelToken& cancel)
    : target_(target), called_off_(std::make_shared<CancelState>(cancel.state())) {
  try {
    while (threads_.size() < threads) threads_.push_back(start_signal_masked_thread([this] { serve(); }));
  } catch (const Error&) {  // fewer will do; without any the caller compiles
  } catch (...) {
    stop();
    throw;
  }
}

void CompileAhead::stop() noexcept {
  called_off_->cancel();
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::future<std::unique_ptr<TuneVariant>> CompileAhead::add(Configuration configuration) {
  Task task([this, configuration = std::move(configuration)] { return compile(configuration); });
  auto future = task.get_future();
  if (threads_.empty()) {
    task();
    return future;
  }
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
  return future;
}

double CompileAhead::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

void CompileAhead::serve() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_stopped_ || !tasks_.empty(); });
    if (is_stopped_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
}

std::unique_ptr<TuneVariant> CompileAhead::compile(const Configuration& configuration) {
  /// Counts a compile that fails, too.
  struct Timer {
    CompileAhead& all;
    const double begin = all.target_.now();
    ~Timer() {
      const std::lock_guard lock(all.mutex_);
      all.seconds_ += all.target_.now() - begin;
    }
  };
  const Timer timer{*this};
  return target_.compile(configuration, CancelToken(passkey, called_off_));
}

}  // namespace kiln
