#include <kiln/compile_job.hpp>

#include "base/fork_safe_mutex.hpp"
#include "base/passkey.hpp"
#include "base/signal_masked_thread.hpp"
#include "base/stop.hpp"
#include "compile/compiler.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/error.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <thread>
#include <utility>

namespace kiln {

struct CompileJob::State {
  std::shared_ptr<CancelState> cancel;
  std::shared_future<CodeObject> code;
  std::atomic<bool> is_ready{false};  // asked without a lock, which a child of fork may inherit closed
  std::uint64_t generation = fork_generation();
  std::thread thread;

  bool is_here() const noexcept { return generation == fork_generation(); }
  // Code that is there keeps its token, with which a module may compile it again, for another device.
  void call_off() {
    if (code.wait_for(std::chrono::seconds(0)) != std::future_status::ready) cancel->cancel();
  }
};

CompileJob::CompileJob(std::string source, CompileOptions options) : state_(std::make_unique<State>()) {
  state_->cancel = std::make_shared<CancelState>(options.cancel.state());
  options.cancel = CancelToken(passkey, state_->cancel);
  const auto arch = is_for_device(options) ? initialised_device_arch() : std::nullopt;
  CompileContext context = context_for_device(arch ? "sm_" + std::to_string(*arch) : std::string());
  auto promise = std::make_shared<std::promise<CodeObject>>();
  state_->code = promise->get_future().share();
  const auto work = [state = state_.get(), promise, source = std::move(source), options = std::move(options),
                     context = std::move(context)] {
    try {
      promise->set_value(compile_for(source, options, context));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
    state->is_ready.store(true, std::memory_order_release);
  };
  try {
    state_->thread = start_signal_masked_thread(work);
  } catch (const Error&) {  // now rather than at get(), for which a caller that asks ready() would wait in vain
    work();
  }
}

CompileJob::CompileJob(CompileJob&&) noexcept = default;

CompileJob& CompileJob::operator=(CompileJob&& other) noexcept {
  CompileJob moved(std::move(other));
  std::swap(state_, moved.state_);
  return *this;
}

CompileJob::~CompileJob() {
  if (!state_) return;
  if (state_->is_here()) {
    state_->call_off();
    if (state_->thread.joinable()) state_->thread.join();
  } else {
    // The thread is the parent's: there is nothing to wait for, and what it holds stays as it is.
    static_cast<void>(state_.release());
  }
}

bool CompileJob::ready() const { return state_->is_ready.load(std::memory_order_acquire); }

void CompileJob::wait() const {
  if (!ready() && !state_->is_here())
    throw Error(
        "this process was forked while a CompileJob compiled, so it will never be ready here: wait for it before the "
        "fork, or compile again");
  state_->code.wait();
}

CodeObject CompileJob::get() const {
  wait();
  return state_->code.get();
}

void CompileJob::cancel() {
  if (state_->is_here()) state_->call_off();
}

}  // namespace kiln
