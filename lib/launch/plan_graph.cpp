#include "launch/plan_graph.hpp"

#include "launch/launch_attributes.hpp"
#include "memory/context.hpp"

#include <algorithm>

namespace kiln {

namespace {

// Such a launch overlaps with the one before it, or triggers an event of the stream: a graph would say that by edges of
// its own, not by a node's attributes.
bool is_programmatic(const PlanStep& step) {
  const LaunchAttributes& attributes = step.config.attributes;
  return attributes.programmatic_stream_serialization || attributes.programmatic_event.event != nullptr;
}

// A kernel without a hook knows no texture references, which its launch tells. Of raw attributes nothing is known.
bool cannot_be_node(const PlanStep& step) {
  return step.kernel->has_hook() || !step.texrefs.empty() || !step.raw_attributes.empty() || is_programmatic(step);
}

CUDA_KERNEL_NODE_PARAMS node_params(const PlanStep& step, CUfunction function) {
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = function;
  params.gridDimX = step.config.grid.x;
  params.gridDimY = step.config.grid.y;
  params.gridDimZ = step.config.grid.z;
  params.blockDimX = step.config.block.x;
  params.blockDimY = step.config.block.y;
  params.blockDimZ = step.config.block.z;
  params.sharedMemBytes = static_cast<unsigned>(step.config.shared_size);
  params.kernelParams = const_cast<void**>(step.arguments.data());
  return params;
}

bool same_range(const AccessPolicyWindow& a, const AccessPolicyWindow& b) {
  return a.pointer == b.pointer && a.bytes == b.bytes;
}

}  // namespace

std::unique_ptr<PlanGraph> PlanGraph::make(CUcontext context, const PlanSteps& steps, std::uint64_t now) {
  if (std::any_of(steps.begin(), steps.end(), cannot_be_node)) return nullptr;
  std::unique_ptr<PlanGraph> graph(new PlanGraph(context, now));
  return graph->build(steps) ? std::move(graph) : nullptr;
}

PlanGraph::~PlanGraph() {
  release_in(context_, [this](const DriverExtras& driver) {
    if (executable_ != nullptr) (void)driver.graph_exec_destroy(executable_);
    return graph_ != nullptr ? driver.graph_destroy(graph_) : CUDA_SUCCESS;
  });
}

bool PlanGraph::build(const PlanSteps& steps) {
  const DriverExtras& driver = DriverExtras::get();
  if (driver.graph_create(&graph_, 0) != CUDA_SUCCESS) return false;
  for (const PlanStep& step : steps)
    if (!add_node(step)) return false;
  return driver.graph_instantiate_with_flags(&executable_, graph_, 0) == CUDA_SUCCESS;
}

bool PlanGraph::add_node(const PlanStep& step) {
  const DriverExtras& driver = DriverExtras::get();
  step.kernel->allow_launch(step.config);
  functions_.push_back(step.kernel->function_here());
  windows_.push_back(step.config.attributes.access_policy_window);
  const CUDA_KERNEL_NODE_PARAMS params = node_params(step, functions_.back());
  CUgraphNode node = nullptr;
  const CUgraphNode* const before = nodes_.empty() ? nullptr : &nodes_.back();
  if (driver.graph_add_kernel_node(&node, graph_, before, before == nullptr ? 0 : 1, &params) != CUDA_SUCCESS)
    return false;
  nodes_.push_back(node);
  AttributeList attributes(step.config.attributes);
  const CUlaunchAttribute* const all = attributes.data();
  return std::all_of(all, all + attributes.count(), [&](const CUlaunchAttribute& attribute) {
    return driver.graph_kernel_node_set_attribute(node, attribute.id, &attribute.value) == CUDA_SUCCESS;
  });
}

bool PlanGraph::has_windows_of(const PlanSteps& steps) const noexcept {
  return std::equal(steps.begin(), steps.end(), windows_.begin(), [](const PlanStep& step, const auto& window) {
    return same_range(step.config.attributes.access_policy_window, window);
  });
}

bool PlanGraph::update(const PlanSteps& steps, std::uint64_t now) {
  const DriverExtras& driver = DriverExtras::get();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PlanStep& step = steps[i];
    if (step.changed <= sent_) continue;
    if (step.reconfigured > sent_) step.kernel->allow_launch(step.config);
    const CUDA_KERNEL_NODE_PARAMS params = node_params(step, functions_[i]);
    if (driver.graph_exec_kernel_node_set_params(executable_, nodes_[i], &params) != CUDA_SUCCESS) return false;
  }
  sent_ = now;
  return true;
}

int PlanGraph::launch(const PlanSteps& steps, CUstream stream) {
  const int result = DriverExtras::get().graph_launch(executable_, stream);
  if (result != CUDA_SUCCESS || noted_) return result;
  for (const PlanStep& step : steps) step.kernel->note();
  noted_ = true;
  return result;
}

}  // namespace kiln
