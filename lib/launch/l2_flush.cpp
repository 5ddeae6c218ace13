#include "launch/l2_flush.hpp"

#include "toolkit/driver/driver.hpp"

#include <kiln/device.hpp>
#include <kiln/memset.hpp>

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

std::size_t flushed_bytes() {
  const int l2 = Device::current().attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  // A device that does not report its cache's size has a small one.
  constexpr int smallest = 1 << 20;
  return 2 * static_cast<std::size_t>(std::max(l2, smallest));
}

}  // namespace

L2Flush::L2Flush() : memory_(flushed_bytes()) {}

void L2Flush::put_into(CUstream stream) { memset_d8_async(memory_.device_pointer(), 0, memory_.size(), stream); }

}  // namespace kiln
