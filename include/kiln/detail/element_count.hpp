// How many elements an argument stands for.
#pragma once

#include <kiln/detail/host_argument.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace kiln::detail {

inline constexpr std::size_t unknown_count = static_cast<std::size_t>(-1);

template <class T, class = void>
inline constexpr bool has_size = false;
template <class T>
inline constexpr bool has_size<T, std::void_t<decltype(static_cast<std::size_t>(std::declval<const T&>().size()))>> =
    true;

/// Of device memory that knows its size, and of host arguments; unknown_count for pointers and scalars.
template <class T>
std::size_t element_count(const T& argument) {
  if constexpr (is_host_argument<T>)
    return argument.slot().bytes / sizeof(typename T::element_type);
  else if constexpr (is_device_memory<T> && has_size<T> && !std::is_same_v<typename Passed<T>::type, void*>)
    return static_cast<std::size_t>(argument.size());
  else
    return unknown_count;
}

}  // namespace kiln::detail
