// What a plan keeps for each context in which it is replayed.
#pragma once

#include "launch/plan_step.hpp"
#include "toolkit/driver/driver.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// To be used with its context current. The destructor is quiet, and may be called while the graph runs.
class PlanGraph {
 public:
  /// Null where these launches cannot be a graph, or the driver will not have it. Throws where a kernel cannot be
  /// loaded or launched that way at all.
  static std::unique_ptr<PlanGraph> make(CUcontext context, const PlanSteps& steps, std::uint64_t now);
  ~PlanGraph();
  PlanGraph(const PlanGraph&) = delete;
  PlanGraph& operator=(const PlanGraph&) = delete;

  /// Whether the steps' windows are those that it was made with: a ready graph keeps its attributes.
  bool has_windows_of(const PlanSteps& steps) const noexcept;
  /// Gives the nodes what changed since the last time. False where the driver refuses, and the graph is to be dropped.
  bool update(const PlanSteps& steps, std::uint64_t now);
  /// Says what was launched, where the driver takes it.
  int launch(const PlanSteps& steps, CUstream stream);

 private:
  PlanGraph(CUcontext context, std::uint64_t now) : context_(context), sent_(now) {}
  bool build(const PlanSteps& steps);
  bool add_node(const PlanStep& step);

  CUcontext context_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
  std::vector<CUgraphNode> nodes_;
  std::vector<CUfunction> functions_;
  std::vector<AccessPolicyWindow> windows_;
  std::uint64_t sent_;
  bool noted_ = false;  // the kernels, as launched
};

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
