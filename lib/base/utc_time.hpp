// The time of day as files have it.
#pragma once

#include <string>

namespace kiln {

/// Now, in UTC: "2026-11-23T21:00:00Z".
std::string utc_now();

}  // namespace kiln
