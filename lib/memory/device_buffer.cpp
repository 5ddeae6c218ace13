#include <kiln/device_buffer.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/byte_count.hpp"
#include "memory/context.hpp"
#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <optional>
#include <string>

namespace kiln::detail {

namespace {

std::string purpose(std::size_t bytes) { return " for a DeviceBuffer of " + std::to_string(bytes) + " bytes"; }

}  // namespace

CUdeviceptr allocate_device(std::size_t count, std::size_t element_size) {
  const std::size_t bytes = byte_count("DeviceBuffer", count, element_size);
  if (bytes == 0) return 0;
  require_context();
  CUdeviceptr pointer = 0;
  check_work(Driver::get().mem_alloc(&pointer, bytes), "cuMemAlloc", purpose(bytes));
  return pointer;
}

CUdeviceptr allocate_device(std::size_t count, std::size_t element_size, CUstream stream) {
  const std::size_t bytes = byte_count("DeviceBuffer", count, element_size);
  if (bytes == 0) return 0;
  const DriverExtras& driver = DriverExtras::get();
  CUdeviceptr pointer = 0;
  check_work(in_stream_context(stream, [&] { return driver.mem_alloc_async(&pointer, bytes, stream); }),
             "cuMemAllocAsync", purpose(bytes));
  return pointer;
}

CUdeviceptr allocate_pitched(std::size_t width, std::size_t height, std::size_t element_size, std::size_t& pitch) {
  const std::size_t row = byte_count("PitchedBuffer", width, element_size);
  if (byte_count("PitchedBuffer", height, row) == 0) return 0;
  // What a thread reads at once: the driver knows 4, 8 and 16 bytes.
  const unsigned access = element_size <= 4 ? 4 : element_size <= 8 ? 8 : 16;
  require_context();
  CUdeviceptr pointer = 0;
  check_work(DriverExtras::get().mem_alloc_pitch(&pointer, &pitch, row, height, access), "cuMemAllocPitch",
             " for " + std::to_string(height) + " rows of " + std::to_string(row) + " bytes");
  return pointer;
}

void free_device(CUdeviceptr pointer) noexcept { release(pointer); }

void free_device(CUdeviceptr pointer, CUstream stream) noexcept { release(pointer, stream); }

void wait_for(CUstream stream) {
  const Driver& driver = Driver::get();
  check_work(with_context([&] { return driver.stream_synchronize(stream); }), "cuStreamSynchronize");
}

int device_of(CUdeviceptr memory) {
  const std::optional<int> device = pointer_device(memory);
  return device ? *device : current_device();
}

void check_reachable(int device, CUdeviceptr memory, CUstream stream) {
  const int used = is_default_stream(stream) ? current_device() : stream_device(stream);
  if (used == device) return;
  CUdeviceptr seen = 0;
  const int result = in_stream_context(stream, [&] {
    return DriverExtras::get().pointer_get_attribute(&seen, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory);
  });
  if (result != CUDA_ERROR_INVALID_VALUE) return;
  const std::string own = std::to_string(used), other = std::to_string(device);
  throw_argument_error("an argument has memory of device " + other + ", and the kernel runs on device " + own +
                           ", which cannot use it: launch on a stream of device " + other +
                           ", copy it by kiln::memcpy_dtod_async, or allow access by cuCtxEnablePeerAccess",
                       "memory that device " + own + " can use", "memory of device " + other);
}

void check_same_size(std::size_t buffer_size, std::size_t host_size) {
  if (buffer_size == host_size) return;
  throw_argument_error("DeviceBuffer: a copy needs a container of exactly " + std::to_string(buffer_size) +
                           " elements, given one of " + std::to_string(host_size),
                       std::to_string(buffer_size), std::to_string(host_size));
}

void check_range(std::size_t buffer_size, std::size_t offset, std::size_t count) {
  if (offset <= buffer_size && count <= buffer_size - offset) return;
  const std::string given = std::to_string(count) + " elements from element " + std::to_string(offset) + " on";
  throw_argument_error(
      "DeviceBuffer: " + given + " are not all among the " + std::to_string(buffer_size) + " elements of the buffer",
      "a part of " + std::to_string(buffer_size) + " elements", given);
}

}  // namespace kiln::detail
