// A thread with as little stack as some programs give theirs.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include <pthread.h>

namespace kiln::test {

#if defined(__SANITIZE_ADDRESS__)
#define KILN_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KILN_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef KILN_ADDRESS_SANITIZER
constexpr std::size_t small_stack = std::size_t{2048} * 1024;  // with it a frame takes several times as much
#else
constexpr std::size_t small_stack = std::size_t{512} * 1024;
#endif

/// Runs the action on a thread with little stack, and throws what it threw.
inline void on_small_stack(const std::function<void()>& action) {
  struct Work {
    const std::function<void()>& action;
    std::exception_ptr thrown;
  } work{action, nullptr};
  const auto run = [](void* argument) -> void* {
    Work& one = *static_cast<Work*>(argument);
    try {
      one.action();
    } catch (...) {
      one.thrown = std::current_exception();
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstacksize(&attributes, small_stack) != 0 ||
      pthread_create(&thread, &attributes, run, &work) != 0)
    throw std::runtime_error("no thread with a small stack");
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (work.thrown) std::rethrow_exception(work.thrown);
}

/// The text so many times.
inline std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace kiln::test
