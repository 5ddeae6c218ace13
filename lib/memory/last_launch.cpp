#include "memory/last_launch.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"

#include <mutex>

namespace kiln {

LastLaunch last_launch;

namespace {

// A name is read, and goes away, under this lock; writing the pointer needs none, as only living kernels are launched.
struct ForgottenName {
  ForkSafeMutex mutex;
  std::string text;
};

}  // namespace

void forget_launch(const std::string& kernel) noexcept {
  try {
    ForgottenName& forgotten = fork_safe_instance<ForgottenName>();
    const std::lock_guard lock(forgotten.mutex);
    if (last_launch.kernel.load(std::memory_order_relaxed) != &kernel) return;
    forgotten.text = kernel;
    const std::string* expected = &kernel;
    last_launch.kernel.compare_exchange_strong(expected, &forgotten.text, std::memory_order_relaxed);
  } catch (...) {  // without memory for the name there is none to tell
    last_launch.kernel.store(nullptr, std::memory_order_relaxed);
  }
}

std::string describe_last_launch() {
  ForgottenName& forgotten = fork_safe_instance<ForgottenName>();
  const std::lock_guard lock(forgotten.mutex);
  const std::string* const kernel = last_launch.kernel.load(std::memory_order_relaxed);
  if (kernel == nullptr) return {};
  return last_launch.others.load(std::memory_order_relaxed) ? "the kernel launched last in this process was " + *kernel
                                                            : "the only kernel launched in this process is " + *kernel;
}

}  // namespace kiln
