// When work is to be given up: at a time, or when somebody says so.
#pragma once

#include <kiln/cancel.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace kiln {

/// What a CancelSource and its tokens share.
class CancelState {
 public:
  bool is_cancelled() const noexcept { return cancelled_.load(std::memory_order_acquire); }
  void cancel() noexcept;

  /// Has `wake` called once when cancel() is, in that thread; at once where it was already. `wake` must not throw or
  /// take long, and may lock only what is never held while a CancelWatch is made or destroyed.
  std::uint64_t add(std::function<void()> wake);
  /// `wake` is not running and will not be called once this returned.
  void remove(std::uint64_t number);

 private:
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::map<std::uint64_t, std::function<void()>> wakes_;
  std::uint64_t last_number_ = 0;
};

/// Calls `wake` when the token is cancelled, for as long as this object lives.
class CancelWatch {
 public:
  CancelWatch(const CancelToken& token, std::function<void()> wake);
  ~CancelWatch();
  CancelWatch(const CancelWatch&) = delete;
  CancelWatch& operator=(const CancelWatch&) = delete;

 private:
  std::shared_ptr<CancelState> state_;
  std::uint64_t number_ = 0;
};

struct Stop {
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> deadline = {};
  CancelToken cancel = {};

  bool is_late() const { return deadline && Clock::now() >= *deadline; }
  bool is_due() const { return cancel.is_cancelled() || is_late(); }
  /// Whether it can ever be due.
  bool is_possible() const noexcept { return deadline || cancel.state() != nullptr; }
};

}  // namespace kiln
