#include "launch/plan_context.hpp"

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <kiln/device.hpp>

#include <algorithm>

namespace kiln {

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
    // What the driver has against it, a launch tells better.
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
