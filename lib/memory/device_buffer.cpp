#include <kiln/device_buffer.hpp>

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <kiln/error.hpp>

#include <limits>

namespace kiln::detail {

CUdeviceptr allocate_device(std::size_t count, std::size_t element_size) {
  constexpr std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  if (count > max_bytes / element_size) {
    const std::string expected = "at most " + std::to_string(max_bytes / element_size) + " elements";
    throw ArgumentError("DeviceBuffer: " + std::to_string(count) + " elements of " + std::to_string(element_size) +
                            " bytes are more than memory can be addressed: is the count a negative number?",
                        {}, ArgumentError::no_index, expected, std::to_string(count));
  }
  if (count == 0) return 0;
  require_context();
  CUdeviceptr pointer = 0;
  check_work(Driver::get().mem_alloc(&pointer, count * element_size), "cuMemAlloc",
             " for a DeviceBuffer of " + std::to_string(count * element_size) + " bytes");
  return pointer;
}

void free_device(CUdeviceptr pointer) noexcept { release(pointer); }

void copy_to_device(CUdeviceptr target, const void* source, std::size_t bytes) {
  if (bytes == 0) return;
  const Driver& driver = Driver::get();
  check_work(with_context([&] { return driver.memcpy_htod(target, source, bytes); }), "cuMemcpyHtoD",
             " for " + std::to_string(bytes) + " bytes");
}

void copy_to_host(void* target, CUdeviceptr source, std::size_t bytes) {
  if (bytes == 0) return;
  const Driver& driver = Driver::get();
  check_work(with_context([&] { return driver.memcpy_dtoh(target, source, bytes); }), "cuMemcpyDtoH",
             " for " + std::to_string(bytes) + " bytes");
}

void check_same_size(std::size_t buffer_size, std::size_t host_size) {
  if (buffer_size == host_size) return;
  throw ArgumentError("DeviceBuffer: a copy needs a host container of exactly " + std::to_string(buffer_size) +
                          " elements, given one of " + std::to_string(host_size),
                      {}, ArgumentError::no_index, std::to_string(buffer_size), std::to_string(host_size));
}

}  // namespace kiln::detail
