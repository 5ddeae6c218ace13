// compile_all at work: a queue of look-ups, a queue of compiles, and threads that take from them.
#pragma once

#include "base/stop.hpp"
#include "compile/compiler.hpp"
#include "compile/remote/remote_prefetch.hpp"

#include <kiln/compile_all.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace kiln {

/// How many compiles run at once unless the caller says it: as many as this thread may use cores, up to a limit.
unsigned default_jobs();

/// One call of compile_all. Look-ups go before compiles, so that cached code does not wait for a compiler. Of
/// equal requests one is compiled, and the others follow it. Remote caches are asked for all that the look-ups missed
/// at once, before the first compile.
class Batch {
 public:
  /// `device_archs`, one for each request, are for those without an arch of their own.
  Batch(const std::vector<CompileRequest>& requests, std::vector<std::string> device_archs);

  /// Returns when every request has its result.
  void run(unsigned jobs, const CompileProgressHandler& progress);
  std::vector<CompileResult> take();

 private:
  using Outcome = CompileProgress::Outcome;
  struct Work {
    std::shared_ptr<CancelState> cancel;  // the request's own token's, and the batch's
    /// With the headers that were called for, where they are not the request's; of the thread that has the request.
    std::optional<CompileOptions> options;
    std::optional<CompileResult> result;
    Outcome outcome = Outcome::compiled;
    std::string identity;                // while others may follow
    std::vector<std::size_t> followers;  // equal requests that came later
  };
  struct Task {
    std::size_t index;
    bool is_look_up;
  };
  class WorkerThreads;

  bool serve_next();
  const CompileOptions& options_of(std::size_t index) const;
  CompileContext context_for(std::size_t index) const;
  std::optional<Task> next_task();
  void end_look_up();
  bool has_compile();
  void prefetch(std::unique_lock<std::mutex>& lock);
  void look_up(std::size_t index);
  void compile(std::size_t index);
  std::size_t waiting_beyond_threads();
  bool follows(std::size_t index);
  void finish(std::size_t index, CompileResult result, Outcome outcome);
  void note(std::size_t index, CompileResult result, Outcome outcome);
  void stop();
  void report(const CompileProgressHandler& progress, bool serves_alone);

  const std::vector<CompileRequest>& requests_;
  const std::vector<std::string> device_archs_;
  std::size_t threads_ = 0;
  std::atomic<bool> called_off_{false};

  std::mutex mutex_;  // of all below, but for what a Work has from the start
  std::condition_variable tasks_changed_;
  std::condition_variable finished_changed_;
  std::vector<Work> work_;
  std::deque<std::size_t> look_ups_;
  std::deque<std::size_t> compiles_;
  std::size_t looking_up_ = 0;                            // threads
  bool is_prefetching_ = false;                           // one thread
  std::unordered_map<std::string, std::size_t> leaders_;  // by identity: what is compiled, or waits to be
  std::deque<std::size_t> finished_;                      // not reported yet
  std::size_t unfinished_;
  RemotePrefetch prefetch_;  // with a mutex of its own
};

}  // namespace kiln
