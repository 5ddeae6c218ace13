// What the driver's three structures of 2-D and 3-D copies have in common.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <kiln/memcpy_2d.hpp>

#include <cstddef>

namespace kiln {

/// One side of a copy as the user describes it, for checks and texts.
struct CopyShape {
  const char* what;  // "Memcpy2D: the source"
  detail::CopyEnd end;
  std::size_t x_in_bytes;
  std::size_t pitch;
  std::size_t width_in_bytes;
};

/// The pitch for the driver. Throws ArgumentError where the side was not set or is null, or its rows overlap.
std::size_t checked_pitch(const CopyShape& shape);
/// Rows of one rectangle for the driver: `given`, or for 0 those that the copy needs. Throws ArgumentError where
/// `given` is less. `what` as in CopyShape.
std::size_t checked_height(const char* what, std::size_t given, std::size_t first, std::size_t rows);

/// The address by which a copy without a stream finds its device; 0 where neither side is device memory.
CUdeviceptr device_side(const detail::CopyEnd& src, const detail::CopyEnd& dst) noexcept;

CUmemorytype driver_memory_type(detail::CopyEnd::Memory memory) noexcept;

template <class Parameters>
void set_source(Parameters& parameters, const detail::CopyEnd& end) {
  parameters.srcMemoryType = driver_memory_type(end.memory);
  parameters.srcHost = reinterpret_cast<const void*>(end.address);
  parameters.srcDevice = end.address;
  parameters.srcArray = reinterpret_cast<CUarray>(end.address);
}

template <class Parameters>
void set_target(Parameters& parameters, const detail::CopyEnd& end) {
  parameters.dstMemoryType = driver_memory_type(end.memory);
  parameters.dstHost = reinterpret_cast<void*>(end.address);
  parameters.dstDevice = end.address;
  parameters.dstArray = reinterpret_cast<CUarray>(end.address);
}

}  // namespace kiln
