// Which C++ types are elements of CUDA arrays and textures.
#pragma once

#include <kiln/array_format.hpp>
#include <kiln/detail/vector_of.hpp>

#include <complex>
#include <cstddef>
#include <type_traits>

namespace kiln {

/// Says that a type is `channels` values of one format: what a specialisation of ArrayElement inherits.
template <ArrayFormat channel_format, unsigned channels>
struct ArrayChannels {
  static constexpr ArrayFormat format = channel_format;  ///< of each channel
  static constexpr unsigned num_channels = channels;     ///< 1, 2 or 4
};

/// Format and number of channels of a C++ type; empty where it is no element. Known are the integers of 8, 16 and 32
/// bits, float, std::complex<float>, and every struct that is exactly its members x[, y[, z, w]] of one such type, as
/// CUDA's float4 is. As in PyCUDA, a double is two 32-bit integers and a std::complex<double> four, which the kernel
/// puts together again. Any other type becomes one in a line:
///   template <> struct kiln::ArrayElement<__half> : kiln::ArrayChannels<kiln::ArrayFormat::half, 1> {};
/// Counterpart: pycuda.driver.dtype_to_array_format.
template <class T, class = void>
struct ArrayElement {};

template <class T>
struct ArrayElement<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 4>>
    : ArrayChannels<sizeof(T) == 1   ? (std::is_signed_v<T> ? ArrayFormat::signed_int8 : ArrayFormat::unsigned_int8)
                    : sizeof(T) == 2 ? (std::is_signed_v<T> ? ArrayFormat::signed_int16 : ArrayFormat::unsigned_int16)
                                     : (std::is_signed_v<T> ? ArrayFormat::signed_int32 : ArrayFormat::unsigned_int32),
                    1> {};
template <>
struct ArrayElement<float> : ArrayChannels<ArrayFormat::float32, 1> {};
template <>
struct ArrayElement<double> : ArrayChannels<ArrayFormat::signed_int32, 2> {};
template <>
struct ArrayElement<std::complex<float>> : ArrayChannels<ArrayFormat::float32, 2> {};
template <>
struct ArrayElement<std::complex<double>> : ArrayChannels<ArrayFormat::signed_int32, 4> {};

namespace detail {
/// Of a channel's type that is one value itself.
template <class Channel, unsigned channels>
using vector_channels = ArrayChannels<ArrayElement<Channel>::format, channels * ArrayElement<Channel>::num_channels>;
}  // namespace detail

template <class T>
struct ArrayElement<T, detail::vector_of<T, decltype(T::x)>> : detail::vector_channels<decltype(T::x), 1> {};
template <class T>
struct ArrayElement<T, detail::vector_of<T, decltype(T::x), decltype(T::y)>>
    : detail::vector_channels<decltype(T::x), 2> {};
template <class T>
struct ArrayElement<T, detail::vector_of<T, decltype(T::x), decltype(T::y), decltype(T::z), decltype(T::w)>>
    : detail::vector_channels<decltype(T::x), 4> {};

}  // namespace kiln
