#include "emulator/provider/context/process.hpp"

#include <pthread.h>

#include <atomic>

namespace kiln::emulator {
namespace {

enum class State { fresh, ready, forked };
std::atomic<State> state{State::fresh};

void after_fork_in_child() { state = State::forked; }

}  // namespace

CUresult initialise() noexcept {
  State expected = State::fresh;
  if (!state.compare_exchange_strong(expected, State::ready))
    return expected == State::ready ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
  return pthread_atfork(nullptr, nullptr, after_fork_in_child) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult check_initialised() noexcept {
  return state.load(std::memory_order_relaxed) == State::ready ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

}  // namespace kiln::emulator
