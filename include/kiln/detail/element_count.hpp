// How many elements an argument stands for.
#pragma once

#include <kiln/detail/element_layout.hpp>
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

/// Of device memory that knows its size, and of host arguments; unknown_count for pointers and scalars. The elements
/// lie one after the other: throws ArgumentError for a view whose elements do not, in C order.
template <class T>
std::size_t element_count(const T& argument) {
  if constexpr (is_host_argument<T>)
    return argument.slot().bytes / sizeof(typename T::element_type);
  else if constexpr (LayoutOf<T>::value)
    return flat_count(element_layout(argument));
  else if constexpr (is_device_memory<T> && has_size<T> && !std::is_same_v<typename Passed<T>::type, void*>)
    return static_cast<std::size_t>(argument.size());
  else
    return unknown_count;
}

/// The same where elements may lie anywhere.
template <class T>
std::size_t shaped_count(const T& argument) {
  if constexpr (LayoutOf<T>::value)
    return element_count(element_layout(argument));
  else
    return element_count(argument);
}

}  // namespace kiln::detail
