// Arrays made and filled in one step.
#pragma once

#include <kiln/array.hpp>
#include <kiln/array_element.hpp>
#include <kiln/detail/array_checks.hpp>
#include <kiln/detail/array_element.hpp>
#include <kiln/detail/array_memory.hpp>
#include <kiln/detail/host_container.hpp>

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <vector>

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

/// A copy of host memory with the elements of a matrix in order F: `values` has that shape ({height, width}, or any
/// number of dimensions) in order C, and in the copy the first index runs fastest. What PyCUDA does itself where a
/// numpy array goes to matrix_to_array with order="F". Throws ArgumentError for another number of elements than the
/// shape has. Counterpart: numpy.asfortranarray.
template <class Container, std::size_t N>
auto asfortranarray(const Container& values, const std::size_t (&shape)[N]) {
  static_assert(detail::is_host_source<const Container>, "the elements are put in order on the host: pass a container");
  detail::check_shape(shape, N, std::size(values));
  std::vector<std::remove_cv_t<detail::ElementOf<const Container>>> result(std::size(values));
  std::size_t index[N] = {};
  for (const auto& value : values) {
    std::size_t place = 0;
    for (std::size_t i = N; i > 0; --i) place = place * shape[i - 1] + index[i - 1];
    result[place] = value;
    for (std::size_t i = N; i > 0 && ++index[i - 1] == shape[i - 1]; --i) index[i - 1] = 0;
  }
  return result;
}

/// A 2-D array from a matrix of that shape: {height, width} in order C, {width, height} in order F, so that x is the
/// index that runs fastest. `order` says how the elements lie in memory, and they are copied as they lie. PyCUDA
/// instead converts a numpy array of the other order: for a matrix that lies in order C its order="F" is
/// matrix_to_array(asfortranarray(matrix, {m, n}), {m, n}, Order::F), where x counts the rows. Counterpart:
/// pycuda.driver.matrix_to_array.
template <class Container>
Array matrix_to_array(const Container& matrix, const std::array<std::size_t, 2>& shape, Order order) {
  const bool is_c = order == Order::C;
  return array_from(matrix, shape[is_c ? 1 : 0], shape[is_c ? 0 : 1]);
}

/// A 2-D array with several channels from scalars of that shape: {height, width, channels} in order C, {channels,
/// width, height} in order F. In both an element's channels lie side by side. As for matrix_to_array the order is that
/// of the memory, and nothing is converted. Throws ArgumentError for another number of scalars than the shape has and
/// for channels other than 1, 2 and 4. Counterpart: pycuda.driver.make_multichannel_2d_array.
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
