// ArrayDescriptor: the shape of an array, and ArrayBox: a part of one.
#pragma once

#include <kiln/array_element.hpp>
#include <kiln/array_format.hpp>
#include <kiln/detail/array_element.hpp>

#include <cstddef>

namespace kiln {

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
  std::size_t width = 0;   ///< elements of a row
  std::size_t height = 0;  ///< rows
  /// Of a 3-D array; the layers of a layered one, the faces of a cubemap.
  std::size_t depth = 0;
  ArrayFormat format = ArrayFormat::float32;  ///< of each channel
  /// 1, 2 or 4: the hardware has no elements of 3.
  unsigned num_channels = 1;
  ArrayFlags flags = ArrayFlags::none;  ///< what kind of array it is, such as layered or a cubemap

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

/// A part of an array, in elements: where it begins and how far it goes. An extent of 0 goes on to the array's end.
/// Counterpart: the offsets and sizes of PyCUDA's Memcpy2D and Memcpy3D, which count bytes along x.
struct ArrayBox {
  std::size_t x = 0;       ///< the first column
  std::size_t y = 0;       ///< the first row
  std::size_t z = 0;       ///< the first slice, layer or face
  std::size_t width = 0;   ///< how many columns
  std::size_t height = 0;  ///< how many rows
  std::size_t depth = 0;   ///< how many slices, layers or faces
};

}  // namespace kiln
