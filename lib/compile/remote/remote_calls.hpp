// Which remote caches are meant, with which keys; questions to them, each a worker's job, within what they may cost a
// process that gets nothing from them.
#pragma once

#include "base/fork_safe_mutex.hpp"
#include "base/stop.hpp"
#include "cache/cache_folder.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/jobs/worker_job.hpp"

#include <kiln/cache_options.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// The remotes of one place. A fault of theirs is an answer without values. Thread-safe.
class RemoteCalls {
 public:
  explicit RemoteCalls(RemotePlace place) : place_(std::move(place)) {}

  const RemotePlace& place() const noexcept { return place_; }
  /// Without those that failed a short time ago.
  RemotePlace usable_place() const;
  bool can_put(const RemotePlace& place) const;

  // These throw CompileStopped where `stop` is due.

  /// As many values as names.
  RemoteFound get(std::vector<RemoteName> names, const Stop& stop) const { return get({{}, std::move(names)}, stop); }
  /// With an owner, who can put what it makes, the right to make code is claimed for it where no remote has the first
  /// value.
  RemoteFound get(RemoteGetJob job, const Stop& stop) const;
  bool put(const RemotePutJob& job) const { return run(job, std::chrono::seconds(1), {}); }
  bool wait(const RemoteWaitJob& job, const Stop& stop) const {
    return run(job, std::chrono::milliseconds(job.milliseconds), stop);
  }
  bool release(const RemoteReleaseJob& job) const { return run(job, budget(), {}); }

 private:
  std::chrono::milliseconds budget() const;
  template <class Job>
  bool run(const Job& job, std::chrono::milliseconds time, const Stop& stop) const;

  const RemotePlace place_;
};

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

/// The remotes that the options name, else KILN_CACHE_REMOTE, with the keys of both; no address where none is named.
/// Whether each may be used is not asked. Throws ArgumentError for addresses that make no sense, and Error where a
/// variable names keys that cannot be meant.
RemotePlace remote_place(const CacheOptions& options, const CacheFolder& own);

/// What a person who asks for remotes is told where none is named.
inline constexpr const char* no_remote_named =
    "no remote cache is named: set KILN_CACHE_REMOTE, or give addresses (kiln cache: --remote), such as redis://host";

/// A fault that names its remote as a worker does, for a text where that stands already.
std::string without_address(const std::string& fault, const std::string& shown);

/// Why that remote must not be used with the keys that there are; null where it may be.
const char* why_unusable(const RemoteAddress& address, const RemotePlace& place) noexcept;

/// Why nothing can be put there, as far as this side knows it; null where it may be possible.
const char* why_no_put(const RemoteAddress& address, const RemotePlace& place) noexcept;

}  // namespace kiln
