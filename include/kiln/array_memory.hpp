// HostRows and DeviceRows: memory with gaps between its rows, for copies of arrays.
#pragma once

#include <cstddef>

namespace kiln {

/// Rows of elements in host memory, for copies of arrays. A plain value, which owns nothing. `data` is where the copied
/// box begins. Counterpart: set_src_host and src_pitch of PyCUDA's Memcpy2D.
template <class T>
struct HostRows {
  T* data;  ///< the first element
  /// Bytes from one row to the next; 0 for rows without a gap.
  std::size_t pitch = 0;
  /// Rows from one slice (of a 3-D array) or layer to the next; 0 for no gap.
  std::size_t rows = 0;
};

/// The same in device memory. Counterpart: set_src_device.
template <class T>
struct DeviceRows {
  T* data;                ///< the first element, a device address
  std::size_t pitch = 0;  ///< bytes from one row to the next; 0 for rows without a gap
  std::size_t rows = 0;   ///< from one slice to the next; 0 for slices without a gap
};

}  // namespace kiln
