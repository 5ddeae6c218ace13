// Copies of bytes between host and device memory, under PyCUDA's names.
//
// The synchronous ones are ordered as work of the legacy default stream: after everything before them in blocking
// streams, but not after work in non-blocking ones. A copy from or to host memory is done when they return, so that
// work of any stream may follow; the driver's own call, and so PyCUDA's, returns with the end of a copy from pageable
// memory still on the way (CUDA Driver API, "API synchronization behavior"). Copies within and between devices may go
// on after they return, ordered likewise. The asynchronous ones are ordered in their stream (null: the legacy default
// one), may be captured into a graph, and need the host memory until the stream has come past: so a container that is
// a temporary is refused. They run beside the host's work where that memory is page-locked.
//
// A device pointer may be of any device, whichever is current; peer access need not be enabled. Callable from any
// thread. All throw ArgumentError for a null address with bytes to copy, DriverError where the driver fails.
#pragma once

#include <kiln/detail/host_container.hpp>
#include <kiln/device_address.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <type_traits>

namespace kiln {

/// Counterpart of each: the function of pycuda.driver with its name. The target comes first; sizes are in bytes.
KILN_EXPORT void memcpy_htod(DeviceAddress dest, const void* src, std::size_t bytes);
KILN_EXPORT void memcpy_htod_async(DeviceAddress dest, const void* src, std::size_t bytes, CUstream stream);
KILN_EXPORT void memcpy_dtoh(void* dest, DeviceAddress src, std::size_t bytes);
KILN_EXPORT void memcpy_dtoh_async(void* dest, DeviceAddress src, std::size_t bytes, CUstream stream);
KILN_EXPORT void memcpy_dtod(DeviceAddress dest, DeviceAddress src, std::size_t bytes);
KILN_EXPORT void memcpy_dtod_async(DeviceAddress dest, DeviceAddress src, std::size_t bytes, CUstream stream);

/// Between two contexts' memory. Null contexts are those in which the memory lies.
KILN_EXPORT void memcpy_peer(DeviceAddress dest, DeviceAddress src, std::size_t bytes, CUcontext dest_context = nullptr,
                             CUcontext src_context = nullptr);
KILN_EXPORT void memcpy_peer_async(DeviceAddress dest, DeviceAddress src, std::size_t bytes, CUstream stream,
                                   CUcontext dest_context = nullptr, CUcontext src_context = nullptr);

/// All elements of a contiguous host container: std::vector, std::array, a C array, std::span, PinnedBuffer.
template <class Container, class = std::enable_if_t<detail::is_host_source<const Container>>>
void memcpy_htod(DeviceAddress dest, const Container& src) {
  memcpy_htod(dest, std::data(src), detail::byte_size(src));
}
template <class Container, class = std::enable_if_t<detail::is_host_source<const std::remove_reference_t<Container>>>>
void memcpy_htod_async(DeviceAddress dest, Container&& src, CUstream stream) {
  static_assert(detail::outlives_call<Container>, "the host memory of an asynchronous copy must not be a temporary");
  memcpy_htod_async(dest, std::data(src), detail::byte_size(src), stream);
}
/// Fills the container.
template <class Container, class = std::enable_if_t<detail::is_host_source<std::remove_reference_t<Container>>>>
void memcpy_dtoh(Container&& dest, DeviceAddress src) {
  static_assert(detail::outlives_call<Container>, "the target of a copy must not be a temporary");
  memcpy_dtoh(std::data(dest), src, detail::byte_size(dest));
}
template <class Container, class = std::enable_if_t<detail::is_host_source<std::remove_reference_t<Container>>>>
void memcpy_dtoh_async(Container&& dest, DeviceAddress src, CUstream stream) {
  static_assert(detail::outlives_call<Container>, "the target of a copy must not be a temporary");
  memcpy_dtoh_async(std::data(dest), src, detail::byte_size(dest), stream);
}

}  // namespace kiln
