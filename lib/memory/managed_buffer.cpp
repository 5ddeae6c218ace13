#include <kiln/managed_buffer.hpp>

#include "memory/asynchronous_error.hpp"
#include "memory/byte_count.hpp"
#include "memory/context.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <string>

namespace kiln::detail {

CUdeviceptr allocate_managed(std::size_t count, std::size_t element_size, ManagedAttach attach) {
  const std::size_t bytes = byte_count("ManagedBuffer", count, element_size);
  if (bytes == 0) return 0;
  require_context();
  CUdeviceptr pointer = 0;
  check_work(DriverExtras::get().mem_alloc_managed(&pointer, bytes, static_cast<unsigned>(attach)), "cuMemAllocManaged",
             " for a ManagedBuffer of " + std::to_string(bytes) + " bytes");
  return pointer;
}

void free_managed(CUdeviceptr pointer) noexcept { release(pointer); }

void prefetch_managed(CUdeviceptr pointer, std::size_t bytes, int place, CUstream stream) {
  if (bytes == 0) return;
  const DriverExtras& driver = DriverExtras::get();
  check_work(in_stream_context(stream, [&] { return driver.mem_prefetch_async(pointer, bytes, place, stream); }),
             "cuMemPrefetchAsync", " to device " + std::to_string(place) + " (-1 is the host)");
}

void advise_managed(CUdeviceptr pointer, std::size_t bytes, MemAdvice advice, int place) {
  if (bytes == 0) return;
  const DriverExtras& driver = DriverExtras::get();
  check_work(with_context([&] { return driver.mem_advise(pointer, bytes, static_cast<CUmem_advise>(advice), place); }),
             "cuMemAdvise", " for device " + std::to_string(place) + " (-1 is the host)");
}

}  // namespace kiln::detail
