#include "launch/plan.hpp"

#include "base/argument_error.hpp"
#include "launch/argument_check.hpp"
#include "launch/plan_check.hpp"

#include <kiln/error.hpp>

#include <atomic>
#include <utility>

namespace kiln {

namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

Plan::Plan() : id_(next_id()) {}

detail::PlanArgument Plan::add_parameter(const std::string& name, const detail::ArgumentInfo& info) {
  parameters_.push_back(&values_.emplace_back(PlanValue{name, info}));
  fitting_ = nullptr;
  return {nullptr, id_, values_.size() - 1};
}

std::size_t Plan::add_launch(std::shared_ptr<Kernel> kernel, const LaunchConfig& config,
                             const detail::Signature& signature, const detail::PlanArgument* arguments) {
  const std::size_t index = steps_.size();
  check_planned_launch(index, *kernel, config, signature, arguments, id_);
  PlanStep step{std::move(kernel)};
  step.configure(config);
  if (!windows_.empty() && windows_.back().bytes != 0) step.window = &windows_.back();
  const std::vector<Parameter>& parameters = step.kernel->parameters();
  const Parameter untold;
  for (std::size_t i = 0; i < signature.count; ++i) {
    const Parameter& parameter = i < parameters.size() ? parameters[i] : untold;
    const std::size_t size = passed_for(parameter, signature.arguments[i]).size;
    if (arguments[i].constant != nullptr) {
      step.constants.emplace_back(size);
      step.arguments.push_back(step.constants.back().data());
      std::memcpy(step.arguments.back(), place_for(parameter, signature.arguments[i], arguments[i].constant), size);
    } else {
      step.arguments.push_back(values_[arguments[i].value].bytes.data());
    }
  }
  step.arguments.push_back(nullptr);  // so that a launch without arguments has an address too
  steps_.push_back(std::move(step));
  try {
    for (std::size_t i = 0; i < signature.count; ++i)
      if (arguments[i].constant == nullptr) values_[arguments[i].value].steps.push_back(index);
  } catch (...) {  // no memory
    for (PlanValue& value : values_) value.forget(index);
    steps_.pop_back();
    throw;
  }
  contexts_.clear();
  return index;
}

void Plan::set_config(std::size_t index, const LaunchConfig& config) {
  if (index >= steps_.size())
    refuse("LaunchPlan::set_config: index", "less than the plan's size of " + std::to_string(steps_.size()),
           std::to_string(index));
  PlanStep& step = steps_[index];
  check_planned_config(index, *step.kernel, config);
  LaunchAttributes former = step.config.attributes;
  AccessPolicyWindow placed;
  if (!step.own_window) std::swap(placed, former.access_policy_window);  // of the plan
  // A ready graph keeps its attributes, and cannot have references.
  if (former.any() || config.attributes.any() || !step.texrefs.empty() || !config.texrefs.empty()) contexts_.clear();
  step.configure(config);
  if (!step.own_window) step.config.attributes.access_policy_window = placed;
  step.changed = step.reconfigured = ++now_;
}

void Plan::check_own(const detail::PlanArgument& argument, const char* subject) const {
  if (argument.plan != id_) refuse(subject, "a parameter of this plan", "one of another plan");
}

void Plan::add_window(const detail::PlanArgument& start, std::size_t bytes, float hit_ratio) {
  if (start.constant == nullptr) check_own(start, "LaunchPlan::l2_window: start");
  if (!(hit_ratio >= 0 && hit_ratio <= 1))
    refuse("LaunchPlan::l2_window: hit_ratio", "0 to 1", std::to_string(hit_ratio));
  PlanWindow window = {nullptr, nullptr, bytes, hit_ratio};
  if (start.constant != nullptr)
    std::memcpy(&window.constant, start.constant, sizeof window.constant);
  else
    window.start = &values_[start.value];
  windows_.push_back(window);
}

detail::PlanArgument Plan::add_map(const TensorMap& map, const detail::PlanArgument& address) {
  check_own(address, "LaunchPlan::tensor_map: address");
  PlanValue* const pointer = &values_[address.value];
  std::size_t value = 0;
  for (const PlanMap& known : maps_) {
    if (known.address != pointer || std::memcmp(&known.original, &map, sizeof map) != 0) continue;
    while (&values_[value] != known.value) ++value;
    return {nullptr, id_, value};
  }
  value = values_.size();
  maps_.push_back({map, pointer, &values_.emplace_back(PlanValue{{}, detail::argument_info<TensorMap>()}), {}});
  return {nullptr, id_, value};
}

}  // namespace kiln
