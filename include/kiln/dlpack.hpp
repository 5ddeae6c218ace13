// kiln::DLPackTensor and to_dlpack: device memory from and for other libraries, by DLPack. Not part of <kiln/kiln.hpp>:
// a program that includes this header has dlpack/dlpack.h (Debian: libdlpack-dev).
#pragma once

#include <kiln/detail/dlpack_tensor.hpp>
#include <kiln/detail/element_layout.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/device_pointer.hpp>
#include <kiln/driver_types.hpp>

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace kiln {

/// A tensor of another library, with elements of T, in memory that a CUDA device can use. It is passed to kernels as a
/// T*, to generated kernels as a vector: to an ElementwiseKernel with any strides, to others where its elements lie one
/// after the other in C order. A launch in a stream of a device that cannot use the memory throws ArgumentError.
/// Elements of several lanes are structs such as CUDA's float4.
///
/// In which stream the tensor was written, DLPack does not say: launch in that stream, or have yours wait for it. A
/// Python library gets your stream when it makes the tensor, by __dlpack__(stream=), and orders its work before it.
/// Movable, not copyable; the destructor calls the tensor's deleter, once. Several threads may read one object. PyCUDA
/// has no counterpart; cupy.from_dlpack.
template <class T>
class DLPackTensor {
 public:
  using element_type = T;  ///< the elements' type; const T for what is only read

  /// Takes over a DLManagedTensor, or a DLManagedTensorVersioned of DLPack 1. Throws ArgumentError for null, memory of
  /// the host or of no CUDA device, elements of another type, an address that T may not have, a negative shape, more
  /// than 8 dimensions, and a tensor to be read alone where T is not const; the tensor then stays the caller's.
  template <class Managed>
  explicit DLPackTensor(Managed* tensor)
      : tensor_(detail::read_dlpack<T>(tensor)), owner_(tensor, &detail::delete_dlpack<Managed>) {}

  /// The address of the first element.
  T* data() const noexcept { return static_cast<T*>(tensor_.address); }
  /// In elements: the product of the shape.
  std::size_t size() const noexcept { return tensor_.size; }
  /// Dimensions.
  std::size_t rank() const noexcept { return tensor_.layout.rank; }
  /// Of a dimension, counted from 0: its length, and the elements from one index to the next.
  /// @{
  std::int64_t extent(std::size_t dimension) const noexcept { return tensor_.layout.extents[dimension]; }
  std::int64_t stride(std::size_t dimension) const noexcept { return tensor_.layout.strides[dimension]; }
  /// @}
  /// Where the memory is: kDLCUDA, kDLCUDAHost (pinned) or kDLCUDAManaged, and the number of the device.
  DLDevice device() const noexcept { return tensor_.device; }

  /// For Kiln itself: what each launch asks. Throws ArgumentError where kernels in the stream cannot use the memory.
  friend const DLPackTensor& transform_launch_argument(CUstream stream, const DLPackTensor& tensor) {
    detail::check_dlpack_reach(tensor.tensor_, stream);
    return tensor;
  }

 private:
  friend struct detail::LayoutOf<DLPackTensor>;
  detail::DLPackMemory tensor_;
  std::unique_ptr<void, void (*)(void*)> owner_;
};

/// A kernel takes the address of its first element.
template <class T>
struct DevicePointer<DLPackTensor<T>> {
  /// Where that is.
  static T* get(const DLPackTensor<T>& tensor) noexcept { return tensor.data(); }
};

namespace detail {

template <class T>
struct LayoutOf<DLPackTensor<T>> : std::true_type {
  static ElementLayout get(const DLPackTensor<T>& tensor) { return tensor.tensor_.layout; }
};

}  // namespace detail

/// Calls a tensor's deleter.
struct DLPackDeleter {
  /// Of a tensor that nobody has taken over: DLManagedTensor or DLManagedTensorVersioned.
  template <class Managed>
  void operator()(Managed* tensor) const noexcept {
    tensor->deleter(tensor);
  }
};

/// A tensor that is not given away yet: release() is what another library takes over.
using DLPackPointer = std::unique_ptr<DLManagedTensor, DLPackDeleter>;

/// Passes a buffer's memory to the owner of the tensor: its deleter frees it as the buffer would have, and may be
/// called by any thread. `shape` is in elements, the last index fastest, and has as many as the buffer; empty: one
/// dimension. Work on the buffer is to be done, or ordered before the other library's, by the program. Throws
/// ArgumentError for another number of elements and a T that DLPack has no type for (it has integers, floating numbers,
/// bool, vectors of them such as float4, and by their names __half, __nv_bfloat16 and complex numbers), DriverError
/// where the driver does not report the device. PyCUDA has no counterpart; cupy.ndarray.toDlpack.
template <class T>
DLPackPointer to_dlpack(DeviceBuffer<T> buffer, std::vector<std::int64_t> shape = {}) {
  return DLPackPointer(detail::new_dlpack<DLManagedTensor>(std::move(buffer), std::move(shape)));
}

#ifdef DLPACK_MAJOR_VERSION
/// A tensor with its version that is not given away yet.
using DLPackVersionedPointer = std::unique_ptr<DLManagedTensorVersioned, DLPackDeleter>;

/// As to_dlpack, for libraries that take tensors of DLPack 1, in Python capsules of the name "dltensor_versioned". Only
/// where dlpack/dlpack.h is of DLPack 1. Counterpart: as to_dlpack's.
template <class T>
DLPackVersionedPointer to_dlpack_versioned(DeviceBuffer<T> buffer, std::vector<std::int64_t> shape = {}) {
  DLPackVersionedPointer tensor(detail::new_dlpack<DLManagedTensorVersioned>(std::move(buffer), std::move(shape)));
  tensor->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  return tensor;
}
#endif

}  // namespace kiln
