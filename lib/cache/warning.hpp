// The warning that the cache cannot be used.
#pragma once

#include "base/fork_safe_mutex.hpp"
#include "base/log.hpp"

#include <atomic>
#include <cstdint>
#include <string>

namespace kiln {

/// Logs the first message of a process at level warn, and later ones, whatever they say, at level info: a program whose
/// cache has a fault runs as it would without one, and needs no warning for each kernel.
inline void warn_of_cache(const std::string& message) noexcept {
  static std::atomic<std::uint64_t> warned{0};  // the process that did, counted from 1
  const std::uint64_t process = fork_generation() + 1;
  log_message(warned.exchange(process) == process ? LogLevel::info : LogLevel::warn, message);
}

}  // namespace kiln
