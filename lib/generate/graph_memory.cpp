#include "generate/graph_memory.hpp"

#include "memory/asynchronous_error.hpp"
#include "toolkit/driver/driver_extras.hpp"

namespace kiln {

namespace {

constexpr const char* purpose = " for a reduction or a scan that is captured";

}  // namespace

GraphMemory::GraphMemory(CUstream stream, std::size_t bytes, std::size_t state_bytes) : stream_(stream) {
  const DriverExtras& driver = DriverExtras::get();
  const std::size_t zeros = counter_bytes + (state_bytes + counter_bytes - 1) / counter_bytes * counter_bytes;
  check_work(driver.mem_alloc_async(&address_, zeros + bytes, stream_), "cuMemAllocAsync", purpose);
  bytes_ = address_ + zeros;
  check_work(driver.memset_d32_async(address_, 0, zeros / sizeof(unsigned), stream_), "cuMemsetD32Async", purpose);
}

void GraphMemory::free() const {
  check_work(DriverExtras::get().mem_free_async(address_, stream_), "cuMemFreeAsync", purpose);
}

}  // namespace kiln
