// TuneArguments: what a kernel is tuned with.
#pragma once

#include <kiln/detail/element_count.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/function.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

namespace detail {

/// An argument that stands for device memory, or may.
struct TunedMemory {
  std::size_t index;  // among the arguments
  CUdeviceptr address;
  std::size_t bytes;  // unknown_count for a bare pointer
  Pointee pointee;
  bool is_const;  // as the argument's type says
};

template <class T, class = void>
inline constexpr bool points_to_const = false;
template <class T>
inline constexpr bool points_to_const<T*, void> = std::is_const_v<T>;
template <class T>
inline constexpr bool points_to_const<T, std::enable_if_t<is_view<T>>> =
    points_to_const<std::decay_t<decltype(view_address(std::declval<const T&>()))>>;

template <class T>
void add_tuned_memory(std::vector<TunedMemory>& all, std::size_t index, const T& argument) {
  using Address = typename Passed<T>::type;
  static_assert(!is_host_argument<T>, "kiln::tune launches often: copy the host's memory into a kiln::DeviceBuffer");
  if constexpr (std::is_pointer_v<Address> || std::is_same_v<Address, CUdeviceptr>) {
    const Address address = Passed<T>::pass(argument);
    const Pointee pointee = pointee_of<Address>();
    const std::size_t count = element_count(argument);
    const std::size_t bytes = count == unknown_count || pointee.size == 0 ? unknown_count : count * pointee.size;
    all.push_back({index, (CUdeviceptr)address, bytes, pointee, points_to_const<T>});  // NOLINT: a pointer or a number
  }
}

/// Whether there is one argument alone, of that type: what a copy is made of.
template <class T, class... Args>
inline constexpr bool is_one_of = sizeof...(Args) == 1 && (std::is_same_v<std::decay_t<Args>, T> && ...);

}  // namespace detail

/// The arguments of the launches that tune() makes: what a Function takes, but no In, Out or InOut. Those that are no
/// temporaries are referred to and must outlive this object. Memory that the kernel may write is kept by tune() and
/// given its content back: that of arguments that are not const, nor const in the kernel's parameters. Of a bare
/// pointer that is the whole allocation that it points into.
class TuneArguments {
 public:
  /// In the kernel's order. Throws ArgumentError for views whose elements do not lie one after the other.
  template <class... Args, class = std::enable_if_t<!detail::is_one_of<TuneArguments, Args...>>>
  explicit TuneArguments(Args&&... args) {
    const auto kept = std::make_shared<std::tuple<Args...>>(std::forward<Args>(args)...);
    launch_ = [kept](const Function& function, const LaunchConfig& config) {
      std::apply([&](const auto&... each) { function(config, each...); }, *kept);
    };
    std::apply(
        [&](const auto&... each) {
          std::size_t index = 0;
          (detail::add_tuned_memory(memory_, index++, each), ...);
        },
        *kept);
  }

  /// For Kiln itself: arguments of types that only run time knows.
  static TuneArguments of_launch(detail::Passkey, std::function<void(const Function&, const LaunchConfig&)> launch,
                                 std::vector<detail::TunedMemory> memory) {
    TuneArguments arguments;
    arguments.launch_ = std::move(launch);
    arguments.memory_ = std::move(memory);
    return arguments;
  }

  /// For Kiln itself.
  void launch(const Function& function, const LaunchConfig& config) const { launch_(function, config); }
  /// For Kiln itself.
  const std::vector<detail::TunedMemory>& memory() const noexcept { return memory_; }

 private:
  std::function<void(const Function&, const LaunchConfig&)> launch_;
  std::vector<detail::TunedMemory> memory_;
};

}  // namespace kiln
