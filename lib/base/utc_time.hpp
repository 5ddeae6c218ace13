// The time of day as files have it.
#pragma once

#include <cstddef>
#include <ctime>
#include <string>

namespace kiln {

/// Now, in UTC: "2026-11-23T21:00:00Z".
inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  ::gmtime_r(&now, &utc);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text, size};
}

}  // namespace kiln
