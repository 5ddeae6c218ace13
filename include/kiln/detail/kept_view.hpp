// KeptView: what a launch is given beside its arguments, and the caller keeps.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace kiln::detail {

/// A view of one T, or of a contiguous container of them, which the caller keeps; temporaries are refused.
template <class T>
class KeptView {
  template <class Container>
  using IfElements =
      std::enable_if_t<!std::is_base_of_v<KeptView, Container> &&
                       std::is_convertible_v<decltype(std::data(std::declval<const Container&>())), const T*>>;

 public:
  constexpr KeptView() noexcept = default;
  /// One, or a contiguous container of them, which must outlive the call.
  constexpr KeptView(const T& one) noexcept : first_(&one), size_(1) {}  // NOLINT(google-explicit-constructor)
  template <class Container, class = IfElements<Container>>
  constexpr KeptView(const Container& many) noexcept  // NOLINT(google-explicit-constructor)
      : first_(std::data(many)), size_(std::size(many)) {}
  KeptView(const T&&) = delete;
  template <class Container, class = IfElements<Container>>
  KeptView(const Container&&) = delete;

  constexpr bool empty() const noexcept { return size_ == 0; }                     ///< whether there is none
  constexpr std::size_t size() const noexcept { return size_; }                    ///< how many
  constexpr const T* data() const noexcept { return first_; }                      ///< the first of them
  const T& operator[](std::size_t index) const noexcept { return first_[index]; }  ///< one of them

 private:
  const T* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace kiln::detail
