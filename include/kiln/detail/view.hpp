// Which types are views: an address with sizes, which a kernel may take as the address or as a whole.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace kiln::detail {

/// std::span, cuda::std::span and their kin: known by element_type, extent, data() and size().
template <class T, class = void>
inline constexpr bool is_span = false;
template <class T>
inline constexpr bool is_span<
    T, std::void_t<
           typename T::element_type, std::integral_constant<std::size_t, T::extent>,
           decltype(std::declval<const T&>().size()),
           std::enable_if_t<std::is_same_v<decltype(std::declval<const T&>().data()), typename T::element_type*>>>> =
    std::is_trivially_copyable_v<T>;

/// What an element is to a program that reads it: an accessor may make something else of it than is in memory.
template <class T, class = void>
struct Reference {
  using type = std::remove_pointer_t<std::decay_t<decltype(std::declval<const T&>().data_handle())>>&;
};
template <class T>
struct Reference<T, std::void_t<typename T::reference>> {
  using type = typename T::reference;
};

/// std::mdspan, cuda::std::mdspan, Kokkos' and their kin: known by data_handle() and extents(). Where that handle is no
/// pointer to the elements as they are, it is a class like any other.
template <class T, class = void>
inline constexpr bool is_mdspan = false;
template <class T>
inline constexpr bool is_mdspan<
    T, std::void_t<decltype(std::declval<const T&>().extents()), decltype(*std::declval<const T&>().data_handle())>> =
    std::is_trivially_copyable_v<T>&&
        std::is_pointer_v<std::decay_t<decltype(std::declval<const T&>().data_handle())>>&&
            std::is_same_v<typename Reference<T>::type, decltype(*std::declval<const T&>().data_handle())>;

template <class T>
inline constexpr bool is_view = is_span<T> || is_mdspan<T>;

/// The address that a view has: not of its first element, where an mdspan's layout begins elsewhere.
template <class T>
auto view_address(const T& view) {
  if constexpr (is_span<T>)
    return view.data();
  else
    return view.data_handle();
}

}  // namespace kiln::detail
