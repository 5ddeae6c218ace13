#include "base/stop.hpp"

#include "base/passkey.hpp"

#include <utility>

namespace kiln {

void CancelState::cancel() noexcept {
  const std::lock_guard lock(mutex_);
  if (cancelled_.exchange(true, std::memory_order_acq_rel)) return;
  for (const auto& [number, wake] : wakes_) wake.call();
}

std::uint64_t CancelState::add(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  if (cancelled_.load(std::memory_order_relaxed)) wake();
  const std::uint64_t there = other_ ? other_->add(wake) : 0;
  wakes_.emplace(++last_number_, Wake{std::move(wake), there});
  return last_number_;
}

void CancelState::remove(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = wakes_.find(number);
  if (found == wakes_.end()) return;
  if (other_) other_->remove(found->second.number_there);
  wakes_.erase(found);
}

CancelWatch::CancelWatch(const CancelToken& token, std::function<void()> wake) : state_(token.state()) {
  if (state_) number_ = state_->add(std::move(wake));
}

CancelWatch::~CancelWatch() {
  if (state_) state_->remove(number_);
}

bool CancelToken::is_cancelled() const noexcept { return state_ && state_->is_cancelled(); }

CancelSource::CancelSource() : state_(std::make_shared<CancelState>()) {}

CancelToken CancelSource::token() const noexcept { return CancelToken(passkey, state_); }
void CancelSource::cancel() const noexcept { state_->cancel(); }

}  // namespace kiln
