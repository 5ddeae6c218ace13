// The one object of a type that a process shares.
#pragma once

#include <atomic>
#include <memory>

namespace kiln {

/// Made at the first call and never destroyed, for what objects of static lifetime use until the process ends. Unlike a
/// static local, whose hidden lock a child of fork can inherit locked, it may be used in any child. Threads that make
/// the first call together may each create one, of which one stays.
template <class T>
T& fork_safe_instance() {
  static std::atomic<T*> kept{nullptr};
  if (T* const instance = kept.load(std::memory_order_acquire)) return *instance;
  auto fresh = std::make_unique<T>();
  T* expected = nullptr;
  if (kept.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *expected;
}

}  // namespace kiln
