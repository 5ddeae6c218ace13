#include "base/argument_error.hpp"
#include "launch/argument_check.hpp"
#include "launch/plan.hpp"
#include "launch/plan_check.hpp"
#include "memory/stream_context.hpp"

namespace kiln {

namespace {

// Fewer launches gain nothing by a graph: tests/bench/launch_plan.cpp measures where it begins to.
constexpr std::size_t fewest_for_graph = 2;

/// False also where the stream cannot be queried: the launches themselves then say why.
bool is_free(CUstream stream) { return capture_status(stream) == CU_STREAM_CAPTURE_STATUS_NONE; }

}  // namespace

void Plan::replay(CUstream stream, const detail::Signature& signature, const void* const* values) {
  (void)Driver::get();  // throws in a child of fork, which may have inherited the lock closed
  const std::lock_guard lock(mutex_);
  if (steps_.empty()) refuse("LaunchPlan: a replay", "at least one launch, by add()", "a plan without launches");
  if (fitting_ != &signature) {
    check_replay({parameters_.begin(), parameters_.end()}, signature);
    fitting_ = &signature;
  }
  ++now_;
  take(signature, values);
  place_maps();
  const bool by_graph = steps_.size() >= fewest_for_graph && is_free(stream);
  if (!by_graph && windows_.empty()) return launch_each(stream);
  const CUcontext context = stream_context(stream);
  const ContextGuard guard(context);
  PlanContext& here = context_here(context);
  if (!windows_.empty()) here.place_windows(steps_, windows_);
  if (!by_graph || !here.replay(steps_, now_, stream)) launch_each(stream);
}

void Plan::take(const detail::Signature& signature, const void* const* values) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const detail::ArgumentInfo& given = signature.arguments[i];
    const detail::ArgumentInfo& info = parameters_[i]->info;
    const void* const value =
        given.by_value != nullptr ? place_for({0, info.size, info.kind, {}}, given, values[i]) : values[i];
    if (parameters_[i]->set(value)) mark(*parameters_[i]);
  }
}

void Plan::place_maps() {
  for (PlanMap& map : maps_) {
    const void* const address = map.address->pointer();
    if (map.placed == address) continue;
    const TensorMap placed = map.original.with_address(address);
    if (map.value->set(&placed)) mark(*map.value);
    map.placed = address;
  }
}

void Plan::mark(const PlanValue& value) {
  for (const std::size_t step : value.steps) steps_[step].changed = now_;
}

PlanContext& Plan::context_here(CUcontext context) {
  for (PlanContext& known : contexts_)
    if (known.context() == context) return known;
  return contexts_.emplace_back(context);
}

void Plan::launch_each(CUstream stream) const {
  for (const PlanStep& step : steps_) {
    LaunchConfig config = step.config;
    config.stream = stream;
    step.kernel->launch(config, const_cast<void**>(step.arguments.data()));
  }
}

}  // namespace kiln
