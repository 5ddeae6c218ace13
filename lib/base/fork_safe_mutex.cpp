#include "base/fork_safe_mutex.hpp"

#include <atomic>

#include <pthread.h>

namespace kiln {

namespace {

std::atomic<std::uint64_t> generation{0};

}  // namespace

// Every ForkSafeMutex of the process. Leaked, because a program may fork while its static objects are destroyed.
struct ForkRegistry {
  std::mutex mutex;
  ForkSafeMutex* first = nullptr;

  static ForkRegistry& get() {
    static ForkRegistry* registry = [] {
      auto* made = new ForkRegistry;
      pthread_atfork(prepare, in_parent, in_child);
      return made;
    }();
    return *registry;
  }

  void lock_all() {
    mutex.lock();
    for (ForkSafeMutex* it = first; it != nullptr; it = it->next_) it->lock();
  }
  void unlock_all() {
    for (ForkSafeMutex* it = first; it != nullptr; it = it->next_) it->unlock();
    mutex.unlock();
  }
  static void prepare() { get().lock_all(); }
  static void in_parent() { get().unlock_all(); }
  static void in_child() {
    generation.fetch_add(1, std::memory_order_relaxed);
    get().unlock_all();
  }

  void add(ForkSafeMutex& item) {
    std::lock_guard<std::mutex> lock(mutex);
    item.next_ = first;
    if (first != nullptr) first->previous_ = &item;
    first = &item;
  }
  void remove(ForkSafeMutex& item) {
    std::lock_guard<std::mutex> lock(mutex);
    if (item.next_ != nullptr) item.next_->previous_ = item.previous_;
    (item.previous_ != nullptr ? item.previous_->next_ : first) = item.next_;
  }
};

std::uint64_t fork_generation() noexcept {
  ForkRegistry::get();  // counts from the first question on
  return generation.load(std::memory_order_relaxed);
}

ForkSafeMutex::ForkSafeMutex() { ForkRegistry::get().add(*this); }
ForkSafeMutex::~ForkSafeMutex() { ForkRegistry::get().remove(*this); }

}  // namespace kiln
