#include "base/stop.hpp"

#include <utility>

namespace kiln {

void CancelState::cancel() noexcept {
  const std::lock_guard lock(mutex_);
  if (cancelled_.exchange(true, std::memory_order_acq_rel)) return;
  for (const auto& [number, wake] : wakes_) wake();
}

std::uint64_t CancelState::add(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  if (is_cancelled()) wake();
  wakes_.emplace(++last_number_, std::move(wake));
  return last_number_;
}

void CancelState::remove(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  wakes_.erase(number);
}

CancelWatch::CancelWatch(const CancelToken& token, std::function<void()> wake) : state_(token.state()) {
  if (state_) number_ = state_->add(std::move(wake));
}

CancelWatch::~CancelWatch() {
  if (state_) state_->remove(number_);
}

bool CancelToken::is_cancelled() const noexcept { return state_ && state_->is_cancelled(); }

CancelSource::CancelSource() : state_(std::make_shared<CancelState>()) {}

void CancelSource::cancel() const noexcept { state_->cancel(); }

}  // namespace kiln
