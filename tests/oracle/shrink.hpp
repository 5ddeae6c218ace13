// The shortest scenario that still shows a difference.
#pragma once

#include "replay.hpp"
#include "scenario.hpp"

#include <chrono>

namespace kiln::oracle {

/// Leaves out steps, pieces of texts and settings as long as a difference remains, and as the time lasts.
Scenario shrink(const Scenario& scenario, const Difference& found, std::chrono::seconds time);

}  // namespace kiln::oracle
