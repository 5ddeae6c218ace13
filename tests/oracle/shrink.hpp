// The shortest story that still shows a difference.
#pragma once

#include "play.hpp"
#include "story.hpp"

#include <chrono>

namespace kiln::oracle {

/// Leaves out steps, pieces of texts and settings as long as a difference remains, and as the time lasts.
Story shrink(const Story& story, const Difference& found, std::chrono::seconds time);

}  // namespace kiln::oracle
