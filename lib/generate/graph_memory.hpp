// Device memory of a launch that a stream captures into a graph.
#pragma once

#include <kiln/driver_types.hpp>

#include <cstddef>

namespace kiln {

/// Allocated and freed by the graph itself, around the launch: as StreamMemory::Use. Throws DriverError.
class GraphMemory {
 public:
  GraphMemory(CUstream stream, std::size_t bytes, std::size_t state_bytes);
  /// To be called after the launch.
  void free() const;

  CUdeviceptr counter() const noexcept { return address_; }
  CUdeviceptr states() const noexcept { return address_ + counter_bytes; }
  unsigned epoch() const noexcept { return 1; }
  CUdeviceptr bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::size_t counter_bytes = 256;
  const CUstream stream_;
  CUdeviceptr address_ = 0;
  CUdeviceptr bytes_ = 0;
};

}  // namespace kiln
