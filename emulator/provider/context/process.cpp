#include "emulator/provider/context/process.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <mutex>

namespace kiln::emulator {
namespace {

enum class State { fresh, ready, forked, ended };
std::atomic<State> state{State::fresh};

void after_fork_in_child() { state = State::forked; }
void at_exit() {
  State expected = State::ready;
  state.compare_exchange_strong(expected, State::ended);
}

struct Failure {
  std::mutex mutex;
  std::atomic<CUresult> error{CUDA_SUCCESS};
  std::string report;  // under mutex
};
Failure& failure() {
  static Failure& only = *new Failure;
  return only;
}

CUresult result_in(State now) noexcept {
  if (now == State::ready) return CUDA_SUCCESS;
  return now == State::ended ? CUDA_ERROR_DEINITIALIZED : CUDA_ERROR_NOT_INITIALIZED;
}

}  // namespace

CUresult initialise() noexcept {
  State expected = State::fresh;
  if (!state.compare_exchange_strong(expected, State::ready)) return result_in(expected);
  // As NVIDIA's driver: what the program registered with atexit before this runs without a driver.
  const bool is_registered = std::atexit(at_exit) == 0 && pthread_atfork(nullptr, nullptr, after_fork_in_child) == 0;
  return is_registered ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult check_initialised() noexcept { return result_in(state.load(std::memory_order_relaxed)); }

CUresult kernel_failure() noexcept { return failure().error.load(std::memory_order_acquire); }

void set_kernel_failure(CUresult error, const std::string& report) {
  Failure& known = failure();
  const std::lock_guard lock(known.mutex);
  if (kernel_failure() != CUDA_SUCCESS) return;
  known.report = report;
  known.error.store(error, std::memory_order_release);
}

std::string kernel_failure_report() {
  Failure& known = failure();
  const std::lock_guard lock(known.mutex);
  return known.report;
}

}  // namespace kiln::emulator
