// What In, Out and InOut are made of, and how a call passes them.
#pragma once

#include <kiln/detail/argument.hpp>
#include <kiln/driver_types.hpp>

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_ranges
#include <ranges>
#endif

namespace kiln::detail {

/// One host argument of one call.
struct HostSlot {
  /// The first member, so that the slot's address is the argument's.
  CUdeviceptr device = 0;
  /// Null for what is not copied that way.
  const void* source = nullptr;
  void* target = nullptr;
  std::size_t bytes = 0;
  bool from_pool = false;
};

/// Those of a call.
struct HostSlots {
  HostSlot* const* slots;
  std::size_t count;
};

template <class T, bool temporary>
class HostArgument {
 public:
  using element_type = T;
  static constexpr bool is_temporary = temporary;
  HostSlot slot() const noexcept { return slot_; }

 protected:
  HostArgument(const void* copied_from, void* copied_to, std::size_t size)
      : slot_{0, copied_from, copied_to, size * sizeof(T), false} {
    static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types only");
  }

 private:
  HostSlot slot_;
};

template <class T, bool temporary>
std::true_type derives_from_host_argument(const HostArgument<T, temporary>*);
std::false_type derives_from_host_argument(const void*);
template <class T>
inline constexpr bool is_host_argument = decltype(derives_from_host_argument(static_cast<const T*>(nullptr)))::value;

template <class Host, class = void>
struct HostElement {
  static_assert(sizeof(Host) == 0,
                "kiln::In, Out and InOut take contiguous host memory: std::vector, std::array, a C array, std::span, "
                "anything with data() and size()");
};
template <class Host>
struct HostElement<Host, std::void_t<decltype(std::size(std::declval<Host&>())),
                                     std::enable_if_t<std::is_pointer_v<decltype(std::data(std::declval<Host&>()))>>>> {
  using type = std::remove_pointer_t<decltype(std::data(std::declval<Host&>()))>;
};
template <class Host>
using host_element = typename HostElement<std::remove_reference_t<Host>>::type;

/// Whether the elements die with the container that was given: a temporary that is no view.
template <class Host>
inline constexpr bool is_temporary_host = !std::is_lvalue_reference_v<Host>
#ifdef __cpp_lib_ranges
                                          && !std::ranges::enable_borrowed_range<std::remove_cv_t<Host>>
#endif
    ;

/// Of a constructor, whose class may have been stated rather than deduced.
template <class T, bool temporary, class Host>
constexpr void check_host() {
  static_assert(std::is_same_v<std::remove_cv_t<host_element<Host>>, T>,
                "kiln::In, Out or InOut of another element type than the host's container has");
  static_assert(temporary || !is_temporary_host<Host>,
                "kiln::In of a temporary: leave its template arguments out, so that its type tells");
}

template <class Host>
inline constexpr bool is_new_host = !is_host_argument<std::remove_cv_t<std::remove_reference_t<Host>>>;

template <class T>
struct Passed<T, std::enable_if_t<is_host_argument<T>>> {
  using type = typename T::element_type*;
  static HostSlot pass(const T& argument) noexcept { return argument.slot(); }
};

template <class T>
constexpr bool is_temporary_argument() {
  if constexpr (is_host_argument<T>)
    return T::is_temporary;
  else
    return false;
}

template <class... Args>
constexpr void refuse_temporaries() {
  static_assert(!(is_temporary_argument<Args>() || ...),
                "kiln::In of a temporary, in a call that may return before the copy is made: give the container a name "
                "and keep it until the stream is synchronised");
}

template <class... Values>
inline constexpr std::size_t slot_count = (std::size_t{0} + ... + (std::is_same_v<std::decay_t<Values>, HostSlot>));

/// Pointers to the slots among the values of a call.
template <std::size_t count>
class SlotList {
 public:
  template <class... Values>
  explicit SlotList(Values&... values) {
    (add(values), ...);
  }
  operator HostSlots() const noexcept { return {slots_, count}; }  // NOLINT(google-explicit-constructor)

 private:
  template <class Value>
  void add(Value& value) {
    if constexpr (std::is_same_v<Value, HostSlot>) slots_[filled_++] = &value;
  }
  HostSlot* slots_[count] = {};
  std::size_t filled_ = 0;
};

}  // namespace kiln::detail
