// The time of one launch of a candidate, and how a launch fails.
#pragma once

#include "launch/l2_flush.hpp"
#include "tune/tune_target.hpp"

#include <kiln/event.hpp>

#include <functional>
#include <optional>

namespace kiln {

/// Launches on one stream, whose context must be current; for one thread. Each throws TuneFailure where the launch is
/// refused, crashes or takes more than the limit. After one that does not end, or that takes the context along, it is
/// the last.
class LaunchClock {
 public:
  LaunchClock(CUstream stream, double limit_seconds, bool flush_l2);

  /// Launches and waits.
  void run(const std::function<void()>& launch);
  /// Likewise; the seconds on the device. The cache is emptied before, or a launch goes ahead.
  double time(const std::function<void()>& launch);
  /// Whether a launch did not end: what waits for the device, as freeing memory does, does not end either.
  bool is_stuck() const noexcept { return is_stuck_; }

 private:
  void wait_for_end();
  void put_in(const std::function<void()>& launch);

  CUstream stream_;
  double limit_seconds_;
  std::optional<L2Flush> flush_;
  Event start_;
  Event end_;
  bool is_stuck_ = false;
};

}  // namespace kiln
