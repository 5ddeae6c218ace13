// One template argument as CUDA C++ spells it.
#pragma once

#include <kiln/export.hpp>
#include <kiln/type_name.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln::detail {

template <class T>
struct TypeArgument {};

/// A number as a literal with that suffix, also the least one, for which C++ has no literal.
KILN_EXPORT std::string integer_literal(long long value, bool is_least, const char* suffix);
KILN_EXPORT std::string integer_literal(unsigned long long value, const char* suffix);

template <class T>
std::string literal(T value, const char* suffix) {
  if constexpr (std::is_signed_v<T>)
    return integer_literal(static_cast<long long>(value),
                           sizeof(T) >= sizeof(int) && value == std::numeric_limits<T>::min(), suffix);
  else
    return integer_literal(static_cast<unsigned long long>(value), suffix);
}

/// Null for the types that have no literals of their own.
template <class T>
constexpr const char* literal_suffix() {
  if (std::is_same_v<T, int>) return "";
  if (std::is_same_v<T, unsigned>) return "u";
  if (std::is_same_v<T, long>) return "l";
  if (std::is_same_v<T, unsigned long>) return "ul";
  if (std::is_same_v<T, long long>) return "ll";
  if (std::is_same_v<T, unsigned long long>) return "ull";
  return nullptr;
}

template <class T>
std::string integer_argument(T value) {
  static_assert(sizeof(T) <= sizeof(long long), "C++ has no literals of more than 64 bits");
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (literal_suffix<T>() != nullptr)
    return literal(value, literal_suffix<T>());
  else
    return '(' + type_name<T>() + ')' + literal(value, "");
}

/// "(Mode)1", as demanglers write it.
template <class T>
std::string enumeration_argument(T value) {
  using Number = std::underlying_type_t<T>;
  using Wide = std::conditional_t<std::is_signed_v<Number>, long long, unsigned long long>;
  const Wide number = static_cast<Wide>(value);
  constexpr Wide most = std::numeric_limits<int>::max();
  const bool is_int = number <= most && (!std::is_signed_v<Number> || number >= static_cast<Wide>(-most - 1));
  return '(' + type_name<T>() + ')' + literal(number, is_int ? "" : literal_suffix<Wide>());
}

template <class T>
std::string template_argument(const TypeArgument<T>&) {
  return type_name<T>();
}
template <class T>
std::string template_argument(const T& argument) {
  if constexpr (std::is_integral_v<T>) {
    return integer_argument(argument);
  } else if constexpr (std::is_enum_v<T>) {
    return enumeration_argument(argument);
  } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
    return "nullptr";
  } else {
    static_assert(std::is_convertible_v<const T&, std::string_view>,
                  "a template argument is kiln::type<T>, an integer, bool, character, enumeration or nullptr, or text");
    if constexpr (std::is_pointer_v<T>)
      if (argument == nullptr) return {};
    return std::string(std::string_view(argument));
  }
}

/// Throws ArgumentError for an argument without a text.
KILN_EXPORT std::string instance_name(std::string_view name, const std::string* arguments, std::size_t count);

}  // namespace kiln::detail
