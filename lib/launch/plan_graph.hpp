// A plan's launches as a CUDA graph of one context.
#pragma once

#include "launch/plan_step.hpp"
#include "toolkit/driver/driver.hpp"

#include <memory>
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

}  // namespace kiln
