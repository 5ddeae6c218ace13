#include "cache/warning.hpp"

#include "base/fork_safe_mutex.hpp"
#include "base/log.hpp"

#include <atomic>
#include <cstdint>

namespace kiln {

void warn_of_cache(const std::string& message) noexcept {
  static std::atomic<std::uint64_t> warned{0};  // the process that did, counted from 1
  const std::uint64_t process = fork_generation() + 1;
  log_message(warned.exchange(process) == process ? LogLevel::info : LogLevel::warn, message);
}

}  // namespace kiln
