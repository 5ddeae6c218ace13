// Questions to remote caches, each a worker's job, within what they may cost.
#pragma once

#include "base/stop.hpp"
#include "compile/jobs/run_in_worker.hpp"

#include <chrono>
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

}  // namespace kiln
