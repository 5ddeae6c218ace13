// Threads that compile candidates while others are measured.
#pragma once

#include "tune/tune_target.hpp"

#include "base/stop.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// Its end calls off what is being compiled, and waits for that. add() and seconds() may be called from any thread.
class CompileAhead {
 public:
  /// `cancel` calls compiles off, too. The target must outlive this object. Where no thread can be made add() compiles.
  CompileAhead(TuneTarget& target, unsigned threads, const CancelToken& cancel);
  ~CompileAhead() { stop(); }
  CompileAhead(const CompileAhead&) = delete;
  CompileAhead& operator=(const CompileAhead&) = delete;

  /// Begun in the order of the calls. The future has what TuneTarget::compile returns or throws.
  std::future<std::unique_ptr<TuneVariant>> add(Configuration configuration);
  /// Of all compiles that have ended, together.
  double seconds() const;

 private:
  using Task = std::packaged_task<std::unique_ptr<TuneVariant>()>;

  void serve();
  std::unique_ptr<TuneVariant> compile(const Configuration& configuration);
  void stop() noexcept;

  TuneTarget& target_;
  std::shared_ptr<CancelState> called_off_;
  mutable std::mutex mutex_;  // of the four below
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool is_stopped_ = false;
  double seconds_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace kiln
