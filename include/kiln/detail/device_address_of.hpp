// Which types stand for device memory, and the address of it.
#pragma once

#include <kiln/detail/view.hpp>
#include <kiln/device_pointer.hpp>
#include <kiln/driver_types.hpp>

#include <type_traits>
#include <utility>

namespace kiln::detail {

template <class T, class = void>
struct has_trait : std::false_type {};
template <class T>
struct has_trait<T, std::void_t<decltype(DevicePointer<T>::get(std::declval<const T&>()))>> : std::true_type {};

/// A pointer object whose target the host cannot refer to, as thrust::device_ptr: get() is the address, and * gives
/// something else than a reference.
template <class T, class = void>
struct is_device_ptr : std::false_type {};
template <class T>
struct is_device_ptr<T, std::enable_if_t<std::is_pointer_v<decltype(std::declval<const T&>().get())> &&
                                         std::is_class_v<decltype(*std::declval<const T&>())>>> : std::true_type {};
/// What gives such a pointer object, as thrust::device_vector.
template <class T, class = void>
struct is_device_vector : std::false_type {};
template <class T>
struct is_device_vector<T, std::void_t<decltype(std::declval<const T&>().data())>>
    : is_device_ptr<std::decay_t<decltype(std::declval<const T&>().data())>> {};
/// What knows the stream that its memory belongs to, as rmm's.
template <class T, class = void>
struct is_stream_ordered : std::false_type {};
template <class T>
struct is_stream_ordered<T,
                         std::enable_if_t<std::is_pointer_v<decltype(std::declval<const T&>().data())> &&
                                          std::is_convertible_v<decltype(std::declval<const T&>().stream()), CUstream>>>
    : std::true_type {};

template <class T>
inline constexpr bool is_device_memory = has_trait<T>::value || is_device_ptr<T>::value || is_device_vector<T>::value ||
                                         is_stream_ordered<T>::value || is_view<T>;
/// A view that no program has given another meaning.
template <class T>
inline constexpr bool is_device_view = is_view<T> && !has_trait<T>::value;

template <class T>
T* without_const(const T* address) noexcept {
  return const_cast<T*>(address);
}
template <class T>
T without_const(T address) noexcept {
  return address;
}

/// Calls take their arguments as const, which says nothing of the memory behind them.
template <class T>
auto device_address(const T& value) {
  if constexpr (has_trait<T>::value)
    return without_const(DevicePointer<T>::get(value));
  else if constexpr (is_view<T>)
    return without_const(view_address(value));
  else if constexpr (is_device_ptr<T>::value)
    return without_const(value.get());
  else if constexpr (is_device_vector<T>::value)
    return without_const(value.data().get());
  else
    return without_const(value.data());
}

}  // namespace kiln::detail
