// Dim3: the size of a grid or a block, in blocks or threads.
#pragma once

#include <kiln/detail/dim3.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace kiln {

/// One, two or three sizes; the ones left out are 1. Counterpart: CUDA's dim3 and PyCUDA's tuples.
/// Any integral type is taken and checked, so `Dim3((n + 255) / 256, rows)` needs no cast and cannot wrap silently.
/// A zero is kept here and refused at the launch, where the kernel can be named.
struct Dim3 {
  std::uint32_t x = 1;  ///< along x
  std::uint32_t y = 1;  ///< along y
  std::uint32_t z = 1;  ///< along z

  constexpr Dim3() = default;

  /// Throws ArgumentError where a value is negative or above 4294967295.
  template <class X, class = std::enable_if_t<std::is_integral_v<X>>>
  constexpr Dim3(X x_size) : x(checked(x_size, 'x')) {}  // NOLINT(google-explicit-constructor): {64, 256} is the idiom
  template <class X, class Y, class = std::enable_if_t<std::is_integral_v<X> && std::is_integral_v<Y>>>
  constexpr Dim3(X x_size, Y y_size) : x(checked(x_size, 'x')), y(checked(y_size, 'y')) {}
  template <class X, class Y, class Z,
            class = std::enable_if_t<std::is_integral_v<X> && std::is_integral_v<Y> && std::is_integral_v<Z>>>
  constexpr Dim3(X x_size, Y y_size, Z z_size)
      : x(checked(x_size, 'x')), y(checked(y_size, 'y')), z(checked(z_size, 'z')) {}

  /// The product of the three, which 64 bits hold for every size that a device accepts.
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }

  /// Equal in all three.
  friend constexpr bool operator==(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
  friend constexpr bool operator!=(const Dim3& a, const Dim3& b) { return !(a == b); }  ///< different in one of them

 private:
  template <class T>
  static constexpr std::uint32_t checked(T value, char axis) {
    if constexpr (std::is_signed_v<T>) {
      if (value < 0) detail::throw_dimension_out_of_range(axis, true, 0ULL - static_cast<unsigned long long>(value));
    }
    if (static_cast<unsigned long long>(value) > 0xffffffffULL)
      detail::throw_dimension_out_of_range(axis, false, static_cast<unsigned long long>(value));
    return static_cast<std::uint32_t>(value);
  }
};

}  // namespace kiln
