// The memory that an Array is copied from and to.
#pragma once

#include <kiln/array_format.hpp>
#include <kiln/array_memory.hpp>
#include <kiln/detail/array_element.hpp>
#include <kiln/detail/host_container.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/pitched_buffer.hpp>

#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>

namespace kiln::detail {

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

}  // namespace kiln::detail
