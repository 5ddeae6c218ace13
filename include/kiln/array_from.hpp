// Arrays made and filled in one step.
#pragma once

#include <kiln/array.hpp>
#include <kiln/array_element.hpp>
#include <kiln/array_memory.hpp>
#include <kiln/export.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace kiln {

/// How the elements of a matrix lie in memory: the last index fastest, as in C, or the first, as in Fortran.
/// Counterpart: numpy's order.
enum class Order { C, F };

/// An array with the elements of a container (host or DeviceBuffer), x fastest, on the current device. Throws
/// ArgumentError where their number is another. Counterpart: pycuda.driver.np_to_array and gpuarray_to_array.
template <class Container>
Array array_from(const Container& elements, std::size_t width, std::size_t height = 0, std::size_t depth = 0,
                 ArrayFlags flags = ArrayFlags::none) {
  using T = std::remove_cv_t<typename detail::ArrayMemoryFor<Container>::Element>;
  Array array = Array::make<T>(width, height, depth, flags);
  array.copy_from(elements);
  return array;
}

/// A 2-D array from a matrix of that shape: {height, width} in order C, {width, height} in order F, so that x is the
/// index that runs fastest. Counterpart: pycuda.driver.matrix_to_array.
template <class Container>
Array matrix_to_array(const Container& matrix, const std::array<std::size_t, 2>& shape, Order order) {
  const bool is_c = order == Order::C;
  return array_from(matrix, shape[is_c ? 1 : 0], shape[is_c ? 0 : 1]);
}

namespace detail {
/// Throws ArgumentError where a size is 0 or the array's channels are not 1, 2 or 4.
KILN_EXPORT ArrayDescriptor multichannel_descriptor(const std::array<std::size_t, 3>& shape, Order order,
                                                    ArrayFormat format);
}  // namespace detail

/// A 2-D array with several channels from scalars of that shape: {height, width, channels} in order C, {channels,
/// width, height} in order F. In both an element's channels lie side by side. Throws ArgumentError for another number
/// of scalars than the shape has and for channels other than 1, 2 and 4. Counterpart:
/// pycuda.driver.make_multichannel_2d_array.
template <class Container>
Array make_multichannel_2d_array(const Container& scalars, const std::array<std::size_t, 3>& shape, Order order) {
  using T = std::remove_cv_t<typename detail::ArrayMemoryFor<Container>::Element>;
  detail::require_array_element<T>();
  static_assert(ArrayElement<T>::num_channels == 1, "the elements given are the single channels");
  Array array(detail::multichannel_descriptor(shape, order, ArrayElement<T>::format));
  array.copy_from(scalars);
  return array;
}

}  // namespace kiln
