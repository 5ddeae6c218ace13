#include "worker/remote/remote_claims.hpp"

#include "base/signal_masked_thread.hpp"
#include "worker/dependencies/file_recording.hpp"
#include "worker/remote/remote_connections.hpp"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;
/// No compile that others should wait for takes longer.
constexpr std::chrono::minutes longest_claim{10};

struct Claim {
  RemoteAddress address;
  std::string name;
  Clock::duration interval;
  Clock::time_point next;
  Clock::time_point last;
};

/// Never destroyed: the thread runs until the process ends.
class ClaimKeeper {
 public:
  static ClaimKeeper& get() {
    static auto* const keeper = new ClaimKeeper;
    return *keeper;
  }

  void keep(const RemoteAddress& address, const std::string& name, const std::string& owner, Clock::duration interval) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto now = Clock::now();
    claims_.insert_or_assign(owner, Claim{address, name, interval, now + interval, now + longest_claim});
    try {
      if (!runs_) start_signal_masked_thread([this] { run(); }).detach();
      runs_ = true;
    } catch (const Error&) {  // without a thread it is not renewed, and ends while code is compiled
      claims_.erase(owner);
    }
    changed_.notify_one();
  }
  void drop(const std::string& owner) {
    const std::lock_guard<std::mutex> lock(mutex_);
    claims_.erase(owner);
  }

 private:
  [[noreturn]] void run() {
    FileRecording::leave_out_this_thread();
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      if (const auto due = take_due()) {
        lock.unlock();
        const bool is_held = renew(due->second, due->first);
        lock.lock();
        if (!is_held) claims_.erase(due->first);
      } else if (claims_.empty()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, earliest());
      }
    }
  }
  Clock::time_point earliest() const {
    auto first = Clock::time_point::max();
    for (const auto& [owner, claim] : claims_) first = std::min(first, claim.next);
    return first;
  }
  std::optional<std::pair<std::string, Claim>> take_due() {
    const auto now = Clock::now();
    std::erase_if(claims_, [now](const auto& claim) { return claim.second.last <= now; });
    for (auto& [owner, claim] : claims_) {
      if (claim.next > now) continue;
      claim.next = now + claim.interval;
      return std::pair(owner, claim);
    }
    return std::nullopt;
  }
  static bool renew(const Claim& claim, const std::string& owner) {
    bool is_held = false;
    try {
      use_remote(claim.address, [&](RemoteStore& store) {
        is_held = store.renew(claim.name, owner, Clock::now() + claim.address.request_timeout);
      });
    } catch (const Error&) {  // it may be there again at the next time, or the claim expires
      return true;
    }
    return is_held;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Claim> claims_;  // by owner
  bool runs_ = false;
};

}  // namespace

void keep_claim(const RemoteAddress& address, const std::string& name, const std::string& owner,
                std::chrono::milliseconds interval) {
  ClaimKeeper::get().keep(address, name, owner, interval);
}

void drop_claim(const std::string& owner) { ClaimKeeper::get().drop(owner); }

}  // namespace kiln
