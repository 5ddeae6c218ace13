#include "emulator/core/handle_table.hpp"

#include <atomic>

namespace kiln::emulator {

std::uint64_t new_handle_number() noexcept {
  static std::atomic<std::uint64_t> next{0x100000};
  return next.fetch_add(16, std::memory_order_relaxed);
}

}  // namespace kiln::emulator
