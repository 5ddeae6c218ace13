#include "capture/staged_memory.hpp"

#include "memory/asynchronous_error.hpp"
#include "toolkit/driver/driver.hpp"

#include <algorithm>

namespace kiln {

StagedMemory::StagedMemory(CUstream stream) : stream_(stream) {
  check_driver(DriverExtras::get().mem_host_alloc(&buffer_, piece, 0), "cuMemHostAlloc", " for a capture");
}

StagedMemory::~StagedMemory() {
  if (const DriverExtras* const driver = DriverExtras::if_open()) (void)driver->mem_free_host(buffer_);
}

void StagedMemory::read(CUdeviceptr begin, std::size_t bytes, const std::function<bool(std::string_view)>& take) {
  const DriverExtras& driver = DriverExtras::get();
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t size = std::min(piece, bytes - at);
    check_work(driver.memcpy_dtoh_async(buffer_, begin + at, size, stream_), "cuMemcpyDtoHAsync", " for a capture");
    check_work(Driver::get().stream_synchronize(stream_), "cuStreamSynchronize", " for a capture");
    if (!take({static_cast<const char*>(buffer_), size})) return;
    at += size;
  }
}

}  // namespace kiln
