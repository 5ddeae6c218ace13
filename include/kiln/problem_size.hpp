// ProblemSize: how much a kernel has to do.
#pragma once

#include <kiln/export.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace kiln {

namespace detail {
[[noreturn]] KILN_EXPORT void throw_negative_problem_size(long long given);
}

/// The size a kernel works on, in elements: one to three dimensions. A plain value.
class ProblemSize {
 public:
  /// Integers of any type. Throws ArgumentError where one is negative.
  template <class X, class = std::enable_if_t<std::is_integral_v<X>>>
  constexpr ProblemSize(X x) : sizes_{checked(x), 1, 1} {}  // NOLINT(google-explicit-constructor): as Dim3
  template <class X, class Y, class = std::enable_if_t<std::is_integral_v<X> && std::is_integral_v<Y>>>
  constexpr ProblemSize(X x, Y y) : sizes_{checked(x), checked(y), 1}, dimensions_(2) {}
  template <class X, class Y, class Z,
            class = std::enable_if_t<std::is_integral_v<X> && std::is_integral_v<Y> && std::is_integral_v<Z>>>
  constexpr ProblemSize(X x, Y y, Z z) : sizes_{checked(x), checked(y), checked(z)}, dimensions_(3) {}

  constexpr std::size_t dimensions() const noexcept { return dimensions_; }  ///< one to three
  /// Elements along dimension i, below 3; 1 where there is no such dimension.
  constexpr unsigned long long operator[](std::size_t i) const noexcept { return sizes_[i]; }

  /// Whether one of its sizes is 0, so that there is nothing to do.
  constexpr bool is_empty() const noexcept { return sizes_[0] == 0 || sizes_[1] == 0 || sizes_[2] == 0; }

  /// Whether dimensions and sizes are the same.
  /// @{
  friend constexpr bool operator==(const ProblemSize& a, const ProblemSize& b) noexcept {
    return a.dimensions_ == b.dimensions_ && a.sizes_[0] == b.sizes_[0] && a.sizes_[1] == b.sizes_[1] &&
           a.sizes_[2] == b.sizes_[2];
  }
  friend constexpr bool operator!=(const ProblemSize& a, const ProblemSize& b) noexcept { return !(a == b); }
  /// @}

 private:
  template <class T>
  static constexpr unsigned long long checked(T value) {
    if constexpr (std::is_signed_v<T>)
      if (value < 0) detail::throw_negative_problem_size(static_cast<long long>(value));
    return static_cast<unsigned long long>(value);
  }

  std::array<unsigned long long, 3> sizes_;
  std::size_t dimensions_ = 1;
};

}  // namespace kiln
