#include <kiln/pitched_buffer.hpp>

#include "memory/asynchronous_error.hpp"
#include "memory/byte_count.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <string>

namespace kiln::detail {

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

}  // namespace kiln::detail
