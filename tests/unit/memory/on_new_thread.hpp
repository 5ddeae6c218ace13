// Runs something on a thread that has no CUDA context.
#pragma once

#include <exception>
#include <thread>

/// Waits for it, and throws what it threw.
template <class Work>
void on_new_thread(Work work) {
  std::exception_ptr error;
  std::thread([&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}
