// When work is to be given up: at a time, or when somebody says so.
#pragma once

#include <kiln/cancel.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace kiln {

/// What a CancelSource and its tokens share.
class CancelState {
 public:
  CancelState() = default;
  /// Cancelled as soon as `other` is, too; null is none.
  explicit CancelState(std::shared_ptr<CancelState> other) noexcept : is_source_(false), other_(std::move(other)) {}

  bool is_cancelled() const noexcept {
    return cancelled_.load(std::memory_order_acquire) || (other_ && other_->is_cancelled());
  }
  void cancel() noexcept;
  /// Whether a CancelSource was cancelled, and not only what Kiln made of its token, or of none.
  bool is_source_cancelled() const noexcept {
    return is_source_ ? cancelled_.load(std::memory_order_acquire) : other_ && other_->is_source_cancelled();
  }

  /// Has `wake` called when cancel() is, in that thread, and when the other state is cancelled; at once where it was
  /// already. `wake` must not throw or take long, and may lock only what is never held while a CancelWatch is made or
  /// destroyed.
  std::uint64_t add(std::function<void()> wake);
  /// `wake` is not running and will not be called once this returned.
  void remove(std::uint64_t number);

 private:
  const bool is_source_ = true;
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  struct Wake {
    std::function<void()> call;
    std::uint64_t number_there;  // in the other state
  };
  std::map<std::uint64_t, Wake> wakes_;
  std::uint64_t last_number_ = 0;
  std::shared_ptr<CancelState> other_;
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
  std::chrono::milliseconds limit = {};  // what the deadline was made of, for errors

  bool is_late() const { return deadline && Clock::now() >= *deadline; }
  bool is_due() const { return cancel.is_cancelled() || is_late(); }
};

}  // namespace kiln
