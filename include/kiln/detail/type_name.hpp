// A type as CUDA C++ spells it.
#pragma once

#include <kiln/export.hpp>

#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace kiln {
template <class T, class>
struct TypeName;
}  // namespace kiln

namespace kiln::detail {

/// Its name has T's in full, where typeid(T) has no reference and no const of T itself.
template <class T>
struct Spelled {};

KILN_EXPORT std::string spelled_type(const std::type_info& spelled);
/// Of the type that the object was made as.
KILN_EXPORT std::string spelled_dynamic_type(const std::type_info& type);

/// Whether the program has named T, or what T is a pointer or a reference to.
template <class T, class = void>
inline constexpr bool has_given_name = false;
template <class T>
inline constexpr bool has_given_name<T, std::void_t<decltype(TypeName<T, void>::get())>> = true;
template <class T>
inline constexpr bool has_given_name<const T> = has_given_name<T>;
template <class T>
inline constexpr bool has_given_name<volatile T> = has_given_name<T>;
template <class T>
inline constexpr bool has_given_name<const volatile T> = has_given_name<T>;
template <class T>
inline constexpr bool has_given_name<T*> = has_given_name<T>;
template <class T>
inline constexpr bool has_given_name<T&> = has_given_name<T>;

/// With that name. Qualifiers follow, as demanglers write them.
template <class T>
std::string given_name() {
  if constexpr (std::is_const_v<T>)
    return given_name<std::remove_const_t<T>>() + " const";
  else if constexpr (std::is_volatile_v<T>)
    return given_name<std::remove_volatile_t<T>>() + " volatile";
  else if constexpr (std::is_pointer_v<T>)
    return given_name<std::remove_pointer_t<T>>() + '*';
  else if constexpr (std::is_reference_v<T>)
    return given_name<std::remove_reference_t<T>>() + '&';
  else
    return std::string(TypeName<T, void>::get());
}

}  // namespace kiln::detail
