// Says, where a type is used as an element of an array, that it is one.
#pragma once

#include <kiln/array_element.hpp>

#include <type_traits>

namespace kiln::detail {

template <class T, class = void>
inline constexpr bool is_array_element = false;
template <class T>
inline constexpr bool is_array_element<T, std::void_t<decltype(ArrayElement<T>::format)>> = true;

/// What says, where T is used as an element, that it is one.
template <class T>
constexpr void require_array_element() {
  static_assert(is_array_element<T>,
                "this type is no element of a CUDA array: an element has 1, 2 or 4 channels (for 3 use the type of 4 "
                "and leave one unused) of 8, 16 or 32 bits; for another type specialise kiln::ArrayElement");
}

}  // namespace kiln::detail
