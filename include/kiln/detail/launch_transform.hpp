// What CCCL asks of an argument before a launch: transform_launch_argument(stream, argument), found by the argument's
// namespace, and transformed_argument() of what that returns, or of the argument. CCCL itself is not needed.
#pragma once

#include <kiln/driver_types.hpp>

#include <type_traits>
#include <utility>

namespace kiln::detail {

/// So that no other function of that name is found but by the argument.
void transform_launch_argument();

template <class T, class = void>
inline constexpr bool has_launch_transform = false;
template <class T>
inline constexpr bool has_launch_transform<
    T, std::void_t<std::enable_if_t<std::is_class_v<T>>,
                   decltype(transform_launch_argument(std::declval<CUstream>(), std::declval<const T&>()))>> = true;

template <class T, class = void>
inline constexpr bool has_transformed_argument = false;
template <class T>
inline constexpr bool has_transformed_argument<T, std::void_t<decltype(std::declval<T>().transformed_argument())>> =
    true;

/// False where the function only looks at the argument and returns it.
template <class T, bool = has_launch_transform<T>>
inline constexpr bool is_replaced = false;
template <class T>
inline constexpr bool is_replaced<T, true> =
    !std::is_same_v<decltype(transform_launch_argument(std::declval<CUstream>(), std::declval<const T&>())), const T&>;

template <class T>
inline constexpr bool is_transformed = is_replaced<T> || has_transformed_argument<const T&>;

/// The argument, or an object that must live until the launch is submitted: its destructor may be what is to be done
/// after the launch.
template <class T>
decltype(auto) launch_transform(CUstream stream, const T& argument) {
  if constexpr (has_launch_transform<T>)
    return transform_launch_argument(stream, argument);
  else
    return (argument);
}

/// What is passed of it.
template <class T>
decltype(auto) transformed(T&& object) {
  if constexpr (has_transformed_argument<T>)
    return std::forward<T>(object).transformed_argument();
  else
    return std::forward<T>(object);
}

}  // namespace kiln::detail
