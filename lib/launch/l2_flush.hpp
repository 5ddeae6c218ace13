// Emptying the L2 cache before a launch that is measured.
#pragma once

#include <kiln/device_buffer.hpp>
#include <kiln/driver_types.hpp>

namespace kiln {

/// Twice the L2 cache's size of memory on the current device. For one thread.
class L2Flush {
 public:
  L2Flush();
  /// Puts a write of all of it into the stream, of the same device.
  void put_into(CUstream stream);

 private:
  DeviceBuffer<unsigned char> memory_;
};

}  // namespace kiln
