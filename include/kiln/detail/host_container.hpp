// What Kiln's copies accept as host memory.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace kiln::detail {

/// False for types with data() and size() whose elements the host cannot read.
template <class T>
struct HoldsHostMemory : std::true_type {};

/// What a contiguous container's data() points to, const where it is const.
template <class Container>
using ElementOf = std::remove_pointer_t<decltype(std::data(std::declval<Container&>()))>;

/// std::vector, std::array, a C array, std::span, PinnedBuffer: anything with contiguous elements in host memory that
/// may be copied byte by byte.
template <class Container, class = void>
inline constexpr bool is_host_source = false;
template <class Container>
inline constexpr bool
    is_host_source<Container, std::void_t<ElementOf<Container>, decltype(std::size(std::declval<Container&>()))>> =
        HoldsHostMemory<std::remove_cv_t<Container>>::value&& std::is_trivially_copyable_v<ElementOf<Container>>;

/// For a Container&& parameter: whether the elements stay when the call is over. A view that is a temporary itself,
/// such as std::span, does not own them.
template <class Container>
inline constexpr bool outlives_call = std::is_lvalue_reference_v<Container> ||
                                      (std::is_trivially_copyable_v<Container> && !std::is_aggregate_v<Container> &&
                                       !std::is_array_v<Container>);

/// What copies are made to for a std::vector<bool>, whose elements are bits.
class HostBools {
 public:
  explicit HostBools(std::size_t size) : bools_(std::make_unique<bool[]>(size)), size_(size) {}
  bool* data() noexcept { return bools_.get(); }
  const bool* data() const noexcept { return bools_.get(); }
  std::size_t size() const noexcept { return size_; }

 private:
  std::unique_ptr<bool[]> bools_;
  std::size_t size_;
};

template <class Container>
std::size_t byte_size(const Container& container) {
  return std::size(container) * sizeof(ElementOf<const Container>);
}

}  // namespace kiln::detail
