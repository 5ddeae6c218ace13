// mem_get_info: how much memory a device has left.
#pragma once

#include <kiln/export.hpp>

#include <cstddef>

namespace kiln {

/// In bytes.
struct MemoryInfo {
  std::size_t free;   ///< not in use by any process
  std::size_t total;  ///< of the device
};

/// Of the calling thread's current device (device 0 where there is none), all processes together. Callable from any
/// thread. Throws ToolkitError or DriverError. Counterpart: pycuda.driver.mem_get_info.
KILN_EXPORT MemoryInfo mem_get_info();

}  // namespace kiln
