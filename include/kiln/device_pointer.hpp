// DevicePointer: which types stand for device memory, and where that is.
#pragma once

#include <kiln/device_buffer.hpp>

#include <type_traits>

namespace kiln {

/// Tells that values of type T stand for device memory, so that they are passed as its address. To be specialised for a
/// type of your own, in one line, for a T* or a CUdeviceptr:
///   template <> struct kiln::DevicePointer<MyBuffer> { static auto get(const MyBuffer& b) { return b.data(); } };
/// DeviceBuffer, thrust::device_vector and device_ptr, rmm::device_buffer, device_uvector and device_scalar need none.
/// Counterpart: pycuda.driver.PointerHolderBase.
template <class T, class = void>
struct DevicePointer {};

/// A kernel takes the buffer's device address.
template <class T>
struct DevicePointer<DeviceBuffer<T>> {
  /// The address of its first element.
  static T* get(const DeviceBuffer<T>& buffer) noexcept { return buffer.data(); }
};

}  // namespace kiln
