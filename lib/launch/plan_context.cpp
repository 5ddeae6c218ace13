#include "launch/plan_context.hpp"

#include "launch/launch_attributes.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <kiln/device.hpp>

#include <algorithm>

namespace kiln {

namespace {

// Such a launch overlaps with the one before it, or triggers an event of the stream: a graph would say that by edges of
// its own, not by a node's attributes.
bool is_programmatic(const PlanStep& step) {
  const LaunchAttributes& attributes = step.config.attributes;
  return attributes.programmatic_stream_serialization || attributes.programmatic_event.event != nullptr;
}

// A kernel without a hook has no texture references, which its launch reports. Of raw attributes nothing is known.
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

namespace {

/// The most bytes that a window may have here, once the limit of persisting lines is `bytes` or what the device has. 0
/// where there are no windows: they are a hint, which an old or shared device cannot take.
std::size_t allow_windows(std::size_t bytes) {
  const Device device(current_device());
  const int largest = device.attribute(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE);
  const int persisting = device.attribute(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
  if (largest <= 0 || persisting <= 0) return 0;
  const std::size_t wanted = std::min(bytes, static_cast<std::size_t>(persisting));
  const DriverExtras& driver = DriverExtras::get();
  std::size_t limit = 0;
  if (driver.ctx_get_limit(&limit, CU_LIMIT_PERSISTING_L2_CACHE_SIZE) != CUDA_SUCCESS) return 0;
  if (limit < wanted && driver.ctx_set_limit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, wanted) != CUDA_SUCCESS) return 0;
  return static_cast<std::size_t>(largest);
}

std::size_t most_bytes(const std::deque<PlanWindow>& windows) {
  std::size_t bytes = 0;
  for (const PlanWindow& window : windows) bytes = std::max(bytes, window.bytes);
  return bytes;
}

}  // namespace

void PlanContext::place_windows(PlanSteps& steps, const std::deque<PlanWindow>& windows) {
  if (!largest_window_) largest_window_ = allow_windows(most_bytes(windows));
  windows_moved_ = false;
  for (PlanStep& step : steps) {
    if (step.window == nullptr || step.own_window) continue;
    AccessPolicyWindow& placed = step.config.attributes.access_policy_window;
    const void* const start = step.window->start != nullptr ? step.window->start->pointer() : step.window->constant;
    if (placed.pointer != start) windows_moved_ = true;
    placed.pointer = start;
    placed.bytes = start != nullptr ? std::min(step.window->bytes, *largest_window_) : 0;
    placed.hit_ratio = step.window->hit_ratio;
  }
}

bool PlanContext::has_graph_for(const PlanSteps& steps, std::uint64_t now) {
  // A kernel whose module has texture references since then is no node any more.
  if (const std::uint64_t hooks = Kernel::hooks_set(); hooks != hooks_) {
    graph_.reset();
    hooks_ = hooks;
  }
  if (graph_ != nullptr && !graph_->has_windows_of(steps)) {
    // A new graph costs more than launching one by one: made for a place at which the window stays.
    if (windows_moved_) return false;
    graph_.reset();
  }
  if (graph_ == nullptr && !no_graph_) {
    graph_ = PlanGraph::make(context_, steps, now);
    no_graph_ = graph_ == nullptr;
  }
  return graph_ != nullptr;
}

bool PlanContext::replay(const PlanSteps& steps, std::uint64_t now, CUstream stream) {
  if (!has_graph_for(steps, now)) return false;
  if (!graph_->update(steps, now)) {
    // A launch explains the driver's error better.
    graph_.reset();
    no_graph_ = true;
    return false;
  }
  const int result = graph_->launch(steps, stream);
  if (result != CUDA_SUCCESS)
    check_work(result, "cuGraphLaunch", " at the replay of a plan of " + std::to_string(steps.size()) + " launches");
  return true;
}

}  // namespace kiln
