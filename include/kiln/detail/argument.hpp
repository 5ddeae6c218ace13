// How a C++ value becomes a kernel argument, and what is known of the arguments of a call.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/detail/device_address_of.hpp>
#include <kiln/driver_types.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace kiln {
class Stream;
}  // namespace kiln

namespace kiln::detail {

/// What a pointer's type says of its memory, after all levels of pointers and extents: float** has two levels, and
/// elements float of 4 bytes.
struct Pointee {
  /// `untyped` is void, and what C++ lets look at any bytes: char, unsigned char, std::byte.
  enum class Kind : unsigned char { none, untyped, integer, floating, other };
  unsigned levels = 0;
  Kind kind = Kind::none;
  /// 0 where it is not known here.
  std::size_t size = 0;
};

/// What is known of one argument at compile time.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): one static object a list of types
struct ArgumentInfo {
  std::size_t size;
  ParameterKind kind;
  /// unsigned long long is CUdeviceptr and cudaTextureObject_t too, so it may stand for a pointer.
  bool may_be_pointer;
  const std::type_info* type;
  /// Of an integer or an enumeration.
  bool is_signed;
  Pointee pointee;
  /// Of a view's address: the view itself, which is passed where the kernel takes one.
  const ArgumentInfo* by_value = nullptr;
};

/// What is known of all arguments of a call; one static object a list of types, so that its address names the list.
struct Signature {
  const ArgumentInfo* arguments;
  std::size_t count;
};

template <class T, class = void>
struct is_range : std::false_type {};
template <class T>
struct is_range<T, std::void_t<decltype(std::declval<const T&>().begin()), decltype(std::declval<const T&>().end())>>
    : std::true_type {};

/// Whether T holds or points to elements in host memory. An aggregate, such as std::array, is a plain struct whose
/// elements travel with it.
template <class T>
inline constexpr bool is_host_container = is_range<T>::value && !std::is_aggregate_v<T> && !is_device_memory<T>;

/// The value that is passed for an argument of type T: itself, or the address of device memory.
template <class T, class = void>
struct Passed {
  static_assert(!std::is_array_v<T>,
                "an array of the host cannot be passed to a kernel: use kiln::DeviceBuffer, or pass kiln::In, Out or "
                "InOut of it");
  static_assert(!is_host_container<T>,
                "a container of the host cannot be passed to a kernel: copy it into a kiln::DeviceBuffer, or pass "
                "kiln::In, Out or InOut of it");
  static_assert(!std::is_same_v<T, Stream>,
                "a stream is no kernel argument: it goes into the braces of the launch, {grid, block, shared_size, "
                "stream}");
  static_assert(std::is_same_v<T, Stream> || std::is_trivially_copyable_v<T>,
                "a kernel argument is passed by value, so its type must be trivially copyable; for a type that owns "
                "device memory specialise kiln::DevicePointer");
  using type = T;
  static const T& pass(const T& value) noexcept { return value; }
};
template <class T>
struct Passed<T, std::enable_if_t<is_device_memory<T>>> {
  using type = decltype(device_address(std::declval<const T&>()));
  static_assert(std::is_pointer_v<type> || std::is_same_v<type, CUdeviceptr>,
                "kiln::DevicePointer<T>::get must return a pointer or a CUdeviceptr");
  static type pass(const T& value) { return device_address(value); }
};
template <>
struct Passed<std::nullptr_t> {
  using type = void*;
  static void* pass(std::nullptr_t) noexcept { return nullptr; }
};

/// What a launch has of a view until it knows what the kernel takes.
struct ViewSlot {
  /// The first member, so that the slot's address is the argument's.
  const void* address;
  const void* view;
};
/// Stands for a view's address in a list of types.
template <class View>
struct ViewAddress {};

/// As Passed, where the kernel may take a view.
template <class T, class = void>
struct Launched : Passed<T> {};
template <class T>
struct Launched<T, std::enable_if_t<is_device_view<T>>> {
  using type = ViewAddress<T>;
  static ViewSlot pass(const T& view) noexcept { return {device_address(view), std::addressof(view)}; }
};

template <class... Values>
inline constexpr bool has_views = (std::is_same_v<std::decay_t<Values>, ViewSlot> || ...);

template <class T>
constexpr bool is_signed_integer() {
  if constexpr (std::is_enum_v<T>)
    return std::is_signed_v<std::underlying_type_t<T>>;
  else
    return std::is_signed_v<T>;
}

template <class T, class = void>
inline constexpr std::size_t size_where_known = 0;
template <class T>
inline constexpr std::size_t
    size_where_known<T, std::void_t<std::enable_if_t<std::is_object_v<T>>, decltype(sizeof(T))>> = sizeof(T);

template <class T>
constexpr Pointee pointee_of(unsigned levels = 0) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_pointer_v<Plain>) {
    return pointee_of<std::remove_pointer_t<Plain>>(levels + 1);
  } else if constexpr (std::is_array_v<Plain>) {
    return pointee_of<std::remove_all_extents_t<Plain>>(levels);
  } else {
    constexpr bool is_bytes = std::is_same_v<Plain, char> || std::is_same_v<Plain, unsigned char> ||
                              std::is_same_v<Plain, std::byte> || std::is_void_v<Plain>;
    constexpr Pointee::Kind kind = is_bytes                                             ? Pointee::Kind::untyped
                                   : std::is_integral_v<Plain> || std::is_enum_v<Plain> ? Pointee::Kind::integer
                                   : std::is_floating_point_v<Plain>                    ? Pointee::Kind::floating
                                                                                        : Pointee::Kind::other;
    return levels == 0 ? Pointee{} : Pointee{levels, kind, size_where_known<Plain>};
  }
}

template <class T>
constexpr ArgumentInfo argument_info() {
  static_assert(!std::is_reference_v<T>,
                "a kernel is passed an address for a reference: state the parameter as a pointer, double* for a "
                "double&; for one that the kernel takes by value state its type");
  constexpr ParameterKind kind = std::is_pointer_v<T>                         ? ParameterKind::pointer
                                 : std::is_integral_v<T> || std::is_enum_v<T> ? ParameterKind::integer
                                 : std::is_floating_point_v<T>                ? ParameterKind::floating
                                                                              : ParameterKind::other;
  return {
      sizeof(T),      kind, std::is_pointer_v<T> || std::is_same_v<T, CUdeviceptr>, &typeid(T), is_signed_integer<T>(),
      pointee_of<T>()};
}

/// Of what is passed for T.
template <class T>
struct PassedInfo {
  static constexpr ArgumentInfo value = argument_info<T>();
};
template <class View>
struct PassedInfo<ViewAddress<View>> {
  static constexpr ArgumentInfo of_view = argument_info<View>();
  static constexpr ArgumentInfo of(ArgumentInfo address) {
    address.by_value = &of_view;
    return address;
  }
  static constexpr ArgumentInfo value = of(argument_info<typename Passed<View>::type>());
};

template <class... Args>
inline constexpr ArgumentInfo argument_infos[sizeof...(Args) + 1] = {PassedInfo<Args>::value..., argument_info<int>()};

/// The signature of a call that passes values of these types.
template <class... Args>
inline constexpr Signature signature = {argument_infos<Args...>, sizeof...(Args)};

/// Where a value is, as cuLaunchKernel wants it.
template <class T>
void* address_of(const T& value) noexcept {
  return const_cast<void*>(static_cast<const void*>(std::addressof(value)));
}

}  // namespace kiln::detail
