// Which structs are vectors, as CUDA's float4 is.
#pragma once

#include <type_traits>

namespace kiln::detail {

template <class... Members>
struct all_same : std::false_type {};
template <class First, class... Rest>
struct all_same<First, Rest...> : std::conjunction<std::is_same<First, Rest>...> {};

/// T, where it is exactly these members, all of one type.
template <class T, class... Members>
using vector_of = std::enable_if_t<std::is_class_v<T> && std::is_trivially_copyable_v<T> &&
                                   all_same<Members...>::value && sizeof(T) == (sizeof(Members) + ...)>;

}  // namespace kiln::detail
