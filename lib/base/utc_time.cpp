#include "base/utc_time.hpp"

#include <cstddef>
#include <ctime>

namespace kiln {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  ::gmtime_r(&now, &utc);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text, size};
}

}  // namespace kiln
