#include "compile/batch.hpp"

#include "base/passkey.hpp"
#include "base/signal_masked_thread.hpp"
#include "base/usable_cores.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/request/request.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

namespace kiln {

namespace {

std::exception_ptr called_off_error(const CompileRequest& request) {
  const auto cancel = std::make_shared<CancelState>(request.options.cancel.state());
  cancel->cancel();
  try {
    throw_stopped(request.options.name, {{}, CancelToken(passkey, cancel)});
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

/// Its destructor stops the compiles that still run, and joins the threads.
class Batch::WorkerThreads {
 public:
  WorkerThreads(Batch& batch, std::size_t size) : batch_(batch) {
    threads_.reserve(size);
    while (threads_.size() < size) {
      try {
        threads_.push_back(start_signal_masked_thread([&batch] {
          while (batch.serve_next()) {
          }
        }));
      } catch (const Error&) {
        return;  // fewer will do; without any the caller's thread does it
      }
    }
  }
  bool are_none() const noexcept { return threads_.empty(); }
  ~WorkerThreads() {
    batch_.stop();
    for (std::thread& thread : threads_) thread.join();
  }
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

 private:
  Batch& batch_;
  std::vector<std::thread> threads_;
};

Batch::Batch(const std::vector<CompileRequest>& requests, std::vector<std::string> device_archs)
    : requests_(requests),
      device_archs_(std::move(device_archs)),
      work_(requests.size()),
      look_ups_(requests.size()),
      unfinished_(requests.size()) {
  for (std::size_t i = 0; i < requests.size(); ++i)
    work_[i].cancel = std::make_shared<CancelState>(requests[i].options.cancel.state());
  std::iota(look_ups_.begin(), look_ups_.end(), std::size_t{0});
}

void Batch::run(unsigned jobs, const CompileProgressHandler& progress) {
  if (requests_.empty()) return;
  threads_ = std::min<std::size_t>(jobs, requests_.size());
  const WorkerThreads threads(*this, threads_);
  report(progress, threads.are_none());
}

std::vector<CompileResult> Batch::take() {
  std::vector<CompileResult> results;
  results.reserve(work_.size());
  for (Work& work : work_) results.push_back(std::move(*work.result));
  return results;
}

/// On a thread that `serves_alone`, each task is done before what it finished is reported.
void Batch::report(const CompileProgressHandler& progress, bool serves_alone) {
  std::unique_lock lock(mutex_);
  bool listens = progress != nullptr;
  for (std::size_t done = 0; done < requests_.size();) {
    while (serves_alone && finished_.empty()) {
      lock.unlock();
      serve_next();
      lock.lock();
    }
    finished_changed_.wait(lock, [&] { return !finished_.empty(); });
    const std::size_t index = finished_.front();
    finished_.pop_front();
    const CompileProgress what{++done, requests_.size(), index, work_[index].outcome};
    if (!listens) continue;
    lock.unlock();
    listens = progress(what);
    if (!listens) stop();
    lock.lock();
  }
}

void Batch::stop() {
  called_off_.store(true, std::memory_order_release);
  std::vector<std::shared_ptr<CancelState>> unfinished;
  {
    const std::lock_guard lock(mutex_);
    // Code that is there keeps its token, with which a module may compile it again, for another device.
    for (const Work& work : work_)
      if (!work.result) unfinished.push_back(work.cancel);
  }
  for (const auto& cancel : unfinished) cancel->cancel();
}

/// False where all is finished.
bool Batch::serve_next() {
  const auto task = next_task();
  if (!task) return false;
  if (called_off_.load(std::memory_order_acquire)) {
    finish(task->index, called_off_error(requests_[task->index]), Outcome::stopped);
    if (task->is_look_up) end_look_up();
  } else if (task->is_look_up) {
    look_up(task->index);
    end_look_up();
  } else {
    compile(task->index);
  }
  return true;
}

void Batch::end_look_up() {
  const std::lock_guard lock(mutex_);
  if (--looking_up_ == 0) tasks_changed_.notify_all();
}

/// Nothing when all is finished.
std::optional<Batch::Task> Batch::next_task() {
  std::unique_lock lock(mutex_);
  for (;;) {
    tasks_changed_.wait(lock, [&] { return unfinished_ == 0 || !look_ups_.empty() || has_compile(); });
    if (unfinished_ == 0) return std::nullopt;
    if (!look_ups_.empty() || prefetch_.is_empty()) break;
    prefetch(lock);
  }
  const bool is_look_up = !look_ups_.empty();
  if (is_look_up) ++looking_up_;
  std::deque<std::size_t>& queue = is_look_up ? look_ups_ : compiles_;
  const Task task{queue.front(), is_look_up};
  queue.pop_front();
  return task;
}

/// One that may start: where remote caches are to be asked first, no other thread may still find out what it misses.
bool Batch::has_compile() {
  return !compiles_.empty() && !is_prefetching_ && (looking_up_ == 0 || prefetch_.is_empty());
}

/// What is fetched is found by the look-up that each compile begins with.
void Batch::prefetch(std::unique_lock<std::mutex>& lock) {
  is_prefetching_ = true;
  lock.unlock();
  try {
    prefetch_.run(threads_);
  } catch (const std::exception&) {  // each compile asks for itself
  }
  lock.lock();
  is_prefetching_ = false;
  tasks_changed_.notify_all();
}

/// To be called by the thread that has the request.
const CompileOptions& Batch::options_of(std::size_t index) const {
  return work_[index].options ? *work_[index].options : requests_[index].options;
}

CompileContext Batch::context_for(std::size_t index) const {
  return context_for_device(is_for_device(options_of(index)) ? device_archs_[index] : std::string());
}

void Batch::look_up(std::size_t index) {
  const CompileRequest& request = requests_[index];
  try {
    if (!work_[index].options) work_[index].options = with_called_headers(request.source, request.options);
    if (auto code = find_code_for(request.source, options_of(index), context_for(index), Counting::on, &prefetch_))
      return finish(index, *std::move(code), Outcome::from_cache);
    if (follows(index)) return;
  } catch (...) {
    return finish(index, std::current_exception(), Outcome::failed);
  }
  const std::lock_guard lock(mutex_);
  compiles_.push_back(index);
  tasks_changed_.notify_one();
}

/// Whether an equal request is about to be compiled, whose result this one then gets.
bool Batch::follows(std::size_t index) {
  if (!is_cacheable(options_of(index))) return false;  // each request compiles for itself
  std::string identity = request_identity(requests_[index].source, options_of(index), context_for(index));
  identity += options_of(index).caching.require_hit ? 'r' : '-';  // one may compile and the other may not
  const std::lock_guard lock(mutex_);
  const auto [leader, is_new] = leaders_.emplace(identity, index);
  if (is_new) {
    work_[index].identity = std::move(identity);
  } else {
    work_[leader->second].followers.push_back(index);
  }
  return !is_new;
}

void Batch::compile(std::size_t index) {
  try {
    const CompileOptions options =
        options_of(index).with(&CompileOptions::cancel, CancelToken(passkey, work_[index].cancel));
    CompileContext context = context_for(index);
    context.waiting = waiting_beyond_threads();
    CodeObject code = compile_for(requests_[index].source, options, context);
    const Outcome outcome = code.from_cache() ? Outcome::from_cache : Outcome::compiled;
    finish(index, std::move(code), outcome);
  } catch (const CompileStopped&) {
    finish(index, std::current_exception(), Outcome::stopped);
  } catch (...) {
    finish(index, std::current_exception(), Outcome::failed);
  }
}

/// At least so many compiles will not start before another one has ended.
std::size_t Batch::waiting_beyond_threads() {
  const std::lock_guard lock(mutex_);
  return compiles_.size() - std::min(compiles_.size(), threads_);
}

/// An equal request fails likewise. It is not stopped likewise, and code it finds where the first one's was put, if it
/// was.
void Batch::finish(std::size_t index, CompileResult result, Outcome outcome) {
  const std::lock_guard lock(mutex_);
  Work& work = work_[index];
  if (!work.identity.empty()) leaders_.erase(work.identity);
  for (const std::size_t follower : std::exchange(work.followers, {})) {
    if (outcome == Outcome::failed) {
      note(follower, result, outcome);
    } else {
      look_ups_.push_back(follower);
    }
  }
  note(index, std::move(result), outcome);
  tasks_changed_.notify_all();
}

// To be called with the mutex locked.
void Batch::note(std::size_t index, CompileResult result, Outcome outcome) {
  work_[index].result = std::move(result);
  work_[index].outcome = outcome;
  finished_.push_back(index);
  --unfinished_;
  finished_changed_.notify_one();
}

unsigned default_jobs() {
  constexpr unsigned most_by_default = 16;
  return std::min(usable_cores(), most_by_default);
}

std::vector<CompileResult> compile_all(const std::vector<CompileRequest>& requests,
                                       const CompileProgressHandler& progress, unsigned jobs) {
  // Asked here: the threads that compile have no current device.
  const auto arch = initialised_device_arch();
  const std::string device_arch = arch ? "sm_" + std::to_string(*arch) : std::string();
  Batch batch(requests, std::vector<std::string>(requests.size(), device_arch));
  batch.run(jobs != 0 ? jobs : default_jobs(), progress);
  return batch.take();
}

}  // namespace kiln
