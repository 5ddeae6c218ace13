// What an Array is filled from and read into: containers of the host, device buffers, rows with a pitch.
#pragma once

#include <kiln/array_element.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/host_container.hpp>
#include <kiln/pitched_buffer.hpp>

#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>

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

namespace detail {

struct ArrayMemory {
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

  const void* data;
  bool on_device;
  ArrayFormat format;
  unsigned num_channels;
  /// In values of that type, or unknown.
  std::size_t count;
  /// In bytes, and in rows; 0 for no gap.
  std::size_t pitch;
  std::size_t rows;
};

template <class T>
ArrayMemory array_memory(const T* data, bool on_device, std::size_t count, std::size_t pitch, std::size_t rows) {
  require_array_element<T>();
  return {data, on_device, ArrayElement<T>::format, ArrayElement<T>::num_channels, count, pitch, rows};
}

/// For containers of the host.
template <class Container>
struct ArrayMemoryOf {
  static_assert(is_host_source<const Container>,
                "an array is copied from and to a contiguous container of the host, DeviceBuffer, PitchedBuffer, "
                "HostRows, DeviceRows or another array");
  using Element = ElementOf<Container>;
  static ArrayMemory memory(const Container& container) {
    return array_memory(std::data(container), false, std::size(container), 0, 0);
  }
};
template <class T>
struct ArrayMemoryOf<DeviceBuffer<T>> {
  using Element = T;
  static ArrayMemory memory(const DeviceBuffer<T>& buffer) {
    return array_memory(buffer.data(), true, buffer.size(), 0, 0);
  }
};
template <class T>
struct ArrayMemoryOf<PitchedBuffer<T>> {
  using Element = T;
  static ArrayMemory memory(const PitchedBuffer<T>& buffer) {
    return array_memory(buffer.data(), true, buffer.width() * buffer.height(), buffer.pitch(), 0);
  }
};
template <class T>
struct ArrayMemoryOf<HostRows<T>> {
  using Element = T;
  static ArrayMemory memory(const HostRows<T>& rows) {
    return array_memory<std::remove_cv_t<T>>(rows.data, false, ArrayMemory::unknown, rows.pitch, rows.rows);
  }
};
template <class T>
struct ArrayMemoryOf<DeviceRows<T>> {
  using Element = T;
  static ArrayMemory memory(const DeviceRows<T>& rows) {
    return array_memory<std::remove_cv_t<T>>(rows.data, true, ArrayMemory::unknown, rows.pitch, rows.rows);
  }
};

// Rows name memory and own none.
template <class T>
inline constexpr bool outlives_call<HostRows<T>> = true;
template <class T>
inline constexpr bool outlives_call<DeviceRows<T>> = true;

template <class Memory>
using ArrayMemoryFor = ArrayMemoryOf<std::remove_cv_t<std::remove_reference_t<Memory>>>;

/// Whether a copy may write there. A container that is constant has constant elements; a span or rows may not.
template <class Memory, class = void>
inline constexpr bool is_writable_memory = !std::is_const_v<typename ArrayMemoryFor<Memory>::Element>;
template <class Memory>
inline constexpr bool is_writable_memory<Memory, std::enable_if_t<is_host_source<std::remove_reference_t<Memory>>>> =
    !std::is_const_v<ElementOf<std::remove_reference_t<Memory>>>;

}  // namespace detail

}  // namespace kiln
