#include "compile/remote/remote_budget.hpp"

#include "cache/warning.hpp"

#include <algorithm>
#include <mutex>

namespace kiln {

RemoteBudget& RemoteBudget::get() {
  static auto* const budget = new RemoteBudget;  // never destroyed: a thread may compile while the process ends
  return *budget;
}

void RemoteBudget::allow(std::chrono::milliseconds all) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  all_ = all;
  lost_ = std::chrono::milliseconds(0);
  paused_until_.clear();
}

std::chrono::milliseconds RemoteBudget::left() const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  return std::max(all_ - lost_, std::chrono::milliseconds(0));
}

void RemoteBudget::charge(std::chrono::milliseconds time) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  lost_ += std::max(time, std::chrono::milliseconds(0));
}

void RemoteBudget::charge_miss(std::chrono::milliseconds time) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  lost_ += std::max(time - (had_miss_ ? free_miss : free_first_miss), std::chrono::milliseconds(0));
  had_miss_ = true;
}

bool RemoteBudget::is_paused(const std::string& remote) const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  const auto known = paused_until_.find(remote);
  return known != paused_until_.end() && Clock::now() < known->second;
}

void RemoteBudget::pause_remote(const std::string& remote) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  paused_until_[remote] = Clock::now() + pause;
}

void RemoteBudget::note_unusable(const std::string& remote, const std::string& why) {
  pause_remote(remote);
  warn_of_cache("the remote cache " + remote + " is not used: " + why);
}

void RemoteBudget::note_fault(const std::string& remote, const std::string& fault) {
  pause_remote(remote);
  warn_of_cache("the remote cache " + remote + " is not used for " + std::to_string(pause.count()) + " s: " + fault +
                ". Kiln goes on without it; KILN_CACHE_REMOTE names it, and `kiln cache stats` counts its faults");
}

}  // namespace kiln
