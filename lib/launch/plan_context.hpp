// What a plan keeps for each context in which it is replayed.
#pragma once

#include "launch/plan_graph.hpp"

#include <deque>
#include <optional>

namespace kiln {

/// To be used with its context current.
class PlanContext {
 public:
  explicit PlanContext(CUcontext context) : context_(context) {}
  CUcontext context() const noexcept { return context_; }

  /// Lays the windows over what their starts point to now, as far as the device allows.
  void place_windows(PlanSteps& steps, const std::deque<PlanWindow>& windows);
  /// Puts the launches into the stream by a graph. False where they must go one by one. Throws DriverError where the
  /// driver refuses the ready graph.
  bool replay(const PlanSteps& steps, std::uint64_t now, CUstream stream);

 private:
  bool has_graph_for(const PlanSteps& steps, std::uint64_t now);

  CUcontext context_;
  std::optional<std::size_t> largest_window_;
  bool windows_moved_ = false;
  bool no_graph_ = false;    // it was tried in vain
  std::uint64_t hooks_ = 0;  // that were set when the graph was made
  std::unique_ptr<PlanGraph> graph_;
};

}  // namespace kiln
