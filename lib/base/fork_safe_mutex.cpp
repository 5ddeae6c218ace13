#include "base/fork_safe_mutex.hpp"

#include "base/fork_safe_instance.hpp"

#include <atomic>
#include <vector>

#include <pthread.h>

namespace kiln {

namespace {

std::atomic<std::uint64_t> generation{0};
thread_local int rounds = 0;

/// Every ForkSafeMutex of the process.
struct ForkRegistry {
  std::mutex mutex;
  std::vector<ForkSafeMutex*> all;

  // No mutex is made before fork waits for it.
  static ForkRegistry& get() {
    static std::atomic<bool> watching{false};
    if (!watching.load(std::memory_order_acquire)) {
      pthread_atfork(prepare, finish, in_child);
      watching.store(true, std::memory_order_release);
    }
    return fork_safe_instance<ForkRegistry>();
  }

  void lock_all() {
    mutex.lock();
    for (ForkSafeMutex* item : all) item->lock();
  }
  void unlock_all() {
    for (ForkSafeMutex* item : all) item->unlock();
    mutex.unlock();
  }
  // Threads that came first together have registered these more than once; then only one round of a fork counts.
  static void prepare() {
    if (rounds++ == 0) fork_safe_instance<ForkRegistry>().lock_all();
  }
  static void finish() {
    if (--rounds == 0) fork_safe_instance<ForkRegistry>().unlock_all();
  }
  static void in_child() {
    generation.fetch_add(1, std::memory_order_relaxed);
    finish();
  }

  void add(ForkSafeMutex& item) {
    std::lock_guard<std::mutex> lock(mutex);
    all.push_back(&item);
  }
  void remove(ForkSafeMutex& item) {
    std::lock_guard<std::mutex> lock(mutex);
    std::erase(all, &item);
  }
};

}  // namespace

std::uint64_t fork_generation() noexcept {
  ForkRegistry::get();  // counts from the first question on
  return generation.load(std::memory_order_relaxed);
}

ForkSafeMutex::ForkSafeMutex() { ForkRegistry::get().add(*this); }
ForkSafeMutex::~ForkSafeMutex() { ForkRegistry::get().remove(*this); }

}  // namespace kiln
