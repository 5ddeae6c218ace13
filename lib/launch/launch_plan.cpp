#include <kiln/launch_plan.hpp>

#include "base/argument_error.hpp"
#include "launch/plan.hpp"

namespace kiln {

namespace {

Plan& of(const std::unique_ptr<Plan>& plan) {
  if (plan == nullptr) refuse("LaunchPlan", "a plan", "one that was moved from");
  return *plan;
}

}  // namespace

LaunchPlan::LaunchPlan() : plan_(std::make_unique<Plan>()) {}
LaunchPlan::~LaunchPlan() = default;
LaunchPlan::LaunchPlan(LaunchPlan&& other) noexcept = default;
LaunchPlan& LaunchPlan::operator=(LaunchPlan&& other) noexcept = default;

detail::PlanArgument LaunchPlan::add_parameter(const std::string& name, const detail::ArgumentInfo& info) {
  return of(plan_).add_parameter(name, info);
}

std::size_t LaunchPlan::add_launch(const Function& function, const LaunchConfig& config,
                                   const detail::Signature& signature, const detail::PlanArgument* arguments) {
  return of(plan_).add_launch(function.kernel_, config, signature, arguments);
}

void LaunchPlan::add_window(const detail::PlanArgument& start, std::size_t bytes, float hit_ratio) {
  of(plan_).add_window(start, bytes, hit_ratio);
}

detail::PlanArgument LaunchPlan::add_map(const TensorMap& map, const detail::PlanArgument& address) {
  return of(plan_).add_map(map, address);
}

void LaunchPlan::set_config(std::size_t index, const LaunchConfig& config) { of(plan_).set_config(index, config); }

std::size_t LaunchPlan::size() const noexcept { return plan_ != nullptr ? plan_->size() : 0; }

void LaunchPlan::replay(CUstream stream, const detail::Signature& signature, const void* const* values) const {
  of(plan_).replay(stream, signature, values);
}

}  // namespace kiln
