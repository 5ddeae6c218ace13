// Array: memory in the layout that texture units and surfaces read.
#pragma once

#include <kiln/array_element.hpp>
#include <kiln/array_format.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace kiln {

namespace detail {
/// Throws ArgumentError for an object that was moved from; `what` is its class.
[[noreturn]] KILN_EXPORT void refuse_null(const char* what);
}  // namespace detail

/// What an array is beyond its sizes; values are combined with |. Counterpart: pycuda.driver.array3d_flags and
/// CUDA_ARRAY3D_*, with the same numbers.
enum class ArrayFlags : unsigned {
  none = 0,
  /// `depth` counts layers, each a 1-D or 2-D array that is fetched from alone.
  layered = 0x01,
  /// A kernel may write it through a SurfaceObject.
  surface_load_store = 0x02,
  /// Six square faces; with `layered` a multiple of six.
  cubemap = 0x04,
  /// A kernel may call tex2Dgather; 2-D only.
  texture_gather = 0x08,
};
constexpr ArrayFlags operator|(ArrayFlags a, ArrayFlags b) noexcept {
  return static_cast<ArrayFlags>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// Whether `flags` has all of `wanted`.
constexpr bool has_flags(ArrayFlags flags, ArrayFlags wanted) noexcept {
  return (static_cast<unsigned>(flags) & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

/// The shape of an array, in elements; a dimension that it does not have is 0. Counterpart: ArrayDescriptor and
/// ArrayDescriptor3D of PyCUDA, CUDA_ARRAY3D_DESCRIPTOR.
struct ArrayDescriptor {
  std::size_t width = 0;
  std::size_t height = 0;
  /// Of a 3-D array; the layers of a layered one, the faces of a cubemap.
  std::size_t depth = 0;
  ArrayFormat format = ArrayFormat::float32;
  /// 1, 2 or 4: the hardware has no elements of 3.
  unsigned num_channels = 1;
  ArrayFlags flags = ArrayFlags::none;

  /// For elements of type T, such as float, uchar4 or a type that specialises ArrayElement.
  template <class T>
  static ArrayDescriptor of(std::size_t width, std::size_t height = 0, std::size_t depth = 0,
                            ArrayFlags flags = ArrayFlags::none) {
    detail::require_array_element<T>();
    return {width, height, depth, ArrayElement<T>::format, ArrayElement<T>::num_channels, flags};
  }
  /// The bytes of one element.
  std::size_t element_size() const noexcept { return channel_size(format) * num_channels; }
  /// How many elements there are; 0 for no width.
  std::size_t count() const noexcept { return width * (height != 0 ? height : 1) * (depth != 0 ? depth : 1); }
};

/// A CUDA array of the device that was current at construction, uninitialised. Copies share it, the last one frees it;
/// it is quiet at process exit, and in a child of fork. Copying and reading the handle are safe from several threads.
/// An array that was moved from is null: its handle is null, and every use throws ArgumentError. Counterpart:
/// pycuda.driver.Array.
class KILN_EXPORT Array {
 public:
  /// 1-D, 2-D or 3-D by which sizes are not 0, layered or a cubemap by the flags. Throws ArgumentError that names the
  /// size, channel or flag that the device cannot have, DriverError where the driver fails, out of memory included.
  explicit Array(const ArrayDescriptor& descriptor);
  /// The same, for elements of type T: Array::make<float4>(width, height).
  template <class T>
  static Array make(std::size_t width, std::size_t height = 0, std::size_t depth = 0,
                    ArrayFlags flags = ArrayFlags::none) {
    return Array(ArrayDescriptor::of<T>(width, height, depth, flags));
  }

  /// The driver's handle; lives as long as a copy of this object.
  CUarray handle() const noexcept;
  /// Throws ArgumentError for a null array, as all that follows.
  const ArrayDescriptor& descriptor() const;
  /// The ordinal of the device that has it.
  int device() const;

  struct Impl;
  /// For Kiln's own rooms; shared() throws ArgumentError for a null array.
  explicit Array(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const std::shared_ptr<const Impl>& shared() const;

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace kiln
