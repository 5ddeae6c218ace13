// What remote caches may cost a process that gets nothing from them.
#pragma once

#include "base/fork_safe_mutex.hpp"

#include <chrono>
#include <map>
#include <string>

namespace kiln {

/// The time that this process has lost to remotes, and which of them are not asked now. Thread-safe, also in a child of
/// fork.
class RemoteBudget {
 public:
  using Clock = std::chrono::steady_clock;
  /// A remote that failed is not asked again for so long.
  static constexpr std::chrono::seconds pause{30};
  /// A miss is charged with what it takes beyond this: with the first one a worker is started. So a remote that is far
  /// away and never has anything comes to its end, too.
  static constexpr std::chrono::milliseconds free_first_miss{50};
  static constexpr std::chrono::milliseconds free_miss{10};

  static RemoteBudget& get();

  /// What this process may lose in its life is a second; for tests another time, from now on, and no remote is paused.
  void allow(std::chrono::milliseconds all);
  /// What it may lose still.
  std::chrono::milliseconds left() const;
  /// Less than nothing is nothing.
  void charge(std::chrono::milliseconds time);
  void charge_miss(std::chrono::milliseconds time);
  bool is_paused(const std::string& remote) const;
  // Both pause it; the first one of a process is warned of.
  void note_fault(const std::string& remote, const std::string& fault);
  /// It is not at fault: with the keys of this process no remote can be asked.
  void note_unusable(const std::string& remote, const std::string& why);

 private:
  void pause_remote(const std::string& remote);

  mutable ForkSafeMutex mutex_;
  std::chrono::milliseconds all_{1000};
  std::chrono::milliseconds lost_{0};
  bool had_miss_ = false;
  std::map<std::string, Clock::time_point> paused_until_;
};

}  // namespace kiln
