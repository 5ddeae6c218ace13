// Memcpy2D: a copy of a rectangle between host memory, device memory and arrays.
#pragma once

#include <kiln/detail/copy_end.hpp>
#include <kiln/device_address.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>

namespace kiln {

/// Rows of `width_in_bytes` bytes, `height` of them, from one place to another. Set a source and a target, sizes, and
/// what offsets and pitches there are, then call it; it may be called often, and changed between. It owns nothing. A
/// plain value: copies of it are independent, one must not be changed while another thread calls it.
/// Counterpart: pycuda.driver.Memcpy2D, cuMemcpy2D.
struct KILN_EXPORT Memcpy2D {
  /// The source or the target, whose pointers are those of the place that x and y count from. Counterpart of each: the
  /// method of pycuda.driver.Memcpy2D with its name.
  /// @{
  void set_src_host(const void* host) noexcept;
  void set_src_device(DeviceAddress device) noexcept;
  void set_src_array(CUarray array) noexcept;
  /// @}
  /// Managed memory, or any address where the driver is to find out whose it is.
  void set_src_unified(const void* pointer) noexcept;
  /// The same for where it goes.
  /// @{
  void set_dst_host(void* host) noexcept;
  void set_dst_device(DeviceAddress device) noexcept;
  void set_dst_array(CUarray array) noexcept;
  void set_dst_unified(void* pointer) noexcept;
  /// @}

  /// Where the rectangle begins. Counterpart of each member: pycuda.driver.Memcpy2D's.
  std::size_t src_x_in_bytes = 0;
  std::size_t src_y = 0;  ///< its first row in the source
  /// Bytes from one row to the next; 0 for rows without a gap (src_x_in_bytes + width_in_bytes). Not used for arrays.
  std::size_t src_pitch = 0;
  std::size_t dst_x_in_bytes = 0;  ///< where it begins in a row of the target
  std::size_t dst_y = 0;           ///< its first row in the target
  std::size_t dst_pitch = 0;       ///< as src_pitch, of the target
  std::size_t width_in_bytes = 0;  ///< of the rectangle
  /// In rows.
  std::size_t height = 1;

  /// Copies in the order of the legacy default stream; where host memory takes part the copy is done when this returns.
  /// Any alignment will do. Throws ArgumentError for a side that is missing or null and for a pitch less than the row,
  /// DriverError where the driver fails.
  void operator()() const;
  /// Copies in the order of `stream` (null: the legacy default one), and may be captured into a graph. Host memory must
  /// stay until the stream has come past, and is copied without the host's help only where it is page-locked.
  void operator()(CUstream stream) const;

 protected:
  detail::CopyEnd src_;  ///< what set_src_ functions set
  detail::CopyEnd dst_;  ///< what set_dst_ functions set
};

}  // namespace kiln
