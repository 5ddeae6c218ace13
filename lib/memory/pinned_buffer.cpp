#include <kiln/pinned_buffer.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/byte_count.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <memory>
#include <string>

namespace kiln::detail {

PinnedMemory allocate_pinned(std::size_t count, std::size_t element_size, PinnedFlags flags) {
  const std::size_t bytes = byte_count("PinnedBuffer", count, element_size);
  if (bytes == 0) return {};
  unsigned driver_flags = 0;
  if (flags.portable) driver_flags |= CU_MEMHOSTALLOC_PORTABLE;
  if (flags.mapped) driver_flags |= CU_MEMHOSTALLOC_DEVICEMAP;
  if (flags.write_combined) driver_flags |= CU_MEMHOSTALLOC_WRITECOMBINED;
  require_context();
  const DriverExtras& driver = DriverExtras::get();
  void* host = nullptr;
  check_work(driver.mem_host_alloc(&host, bytes, driver_flags), "cuMemHostAlloc",
             " for a PinnedBuffer of " + std::to_string(bytes) + " bytes");
  std::unique_ptr<void, decltype(&release_host)> owner(host, &release_host);
  CUdeviceptr device = 0;
  if (flags.mapped) check_work(driver.mem_host_get_device_pointer(&device, host, 0), "cuMemHostGetDevicePointer");
  return {owner.release(), device};
}

void free_pinned(void* host) noexcept { release_host(host); }

void refuse_unmapped() {
  throw_argument_error(
      "PinnedBuffer: this memory is not mapped, so that no kernel can use it: make the buffer with "
      "PinnedFlags::mapped, or copy it into a DeviceBuffer",
      "mapped memory", "memory that is not mapped");
}

}  // namespace kiln::detail
