// Plan: what a LaunchPlan owns.
#pragma once

#include "launch/plan_context.hpp"
#include "launch/plan_step.hpp"

#include <mutex>

namespace kiln {

/// replay() may be called from several threads at once; the others change the plan.
class Plan {
 public:
  Plan();

  detail::PlanArgument add_parameter(const std::string& name, const detail::ArgumentInfo& info);
  std::size_t add_launch(std::shared_ptr<Kernel> kernel, const LaunchConfig& config, const detail::Signature& signature,
                         const detail::PlanArgument* arguments);
  void set_config(std::size_t index, const LaunchConfig& config);
  void add_window(const detail::PlanArgument& start, std::size_t bytes, float hit_ratio);
  detail::PlanArgument add_map(const TensorMap& map, const detail::PlanArgument& address);
  std::size_t size() const noexcept { return steps_.size(); }

  void replay(CUstream stream, const detail::Signature& signature, const void* const* values);

 private:
  void take(const detail::Signature& signature, const void* const* values);
  void place_maps();
  void mark(const PlanValue& value);
  void check_own(const detail::PlanArgument& argument, const char* subject) const;
  PlanContext& context_here(CUcontext context);
  void launch_each(CUstream stream) const;

  const std::uint64_t id_;  // unlike an address, never another plan's
  // Deques, so that what is in them stays where it is.
  std::deque<PlanValue> values_;
  std::deque<PlanWindow> windows_;
  std::vector<PlanMap> maps_;
  PlanSteps steps_;
  std::vector<PlanValue*> parameters_;  // in the order of a replay's arguments
  std::deque<PlanContext> contexts_;

  std::mutex mutex_;                            // of replays
  const detail::Signature* fitting_ = nullptr;  // passed check_replay() last
  std::uint64_t now_ = 0;                       // goes on with each replay and each change
};

}  // namespace kiln
