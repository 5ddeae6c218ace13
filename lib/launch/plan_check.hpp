// Whether what is recorded and replayed fits a plan, and what to say where it does not.
#pragma once

#include "launch/kernel.hpp"

#include <kiln/launch_plan.hpp>

#include <cstdint>
#include <vector>

namespace kiln {

struct PlanValue;

/// Throws ArgumentError unless the kernel takes a launch of this configuration and these arguments in plan `plan`.
void check_planned_launch(std::size_t index, Kernel& kernel, const LaunchConfig& config,
                          const detail::Signature& signature, const detail::PlanArgument* arguments,
                          std::uint64_t plan);
/// Throws ArgumentError for sizes of 0, and a stream.
void check_planned_config(std::size_t index, const Kernel& kernel, const LaunchConfig& config);
/// Throws ArgumentError unless a replay's arguments are of the parameters' types.
void check_replay(const std::vector<const PlanValue*>& parameters, const detail::Signature& signature);

}  // namespace kiln
