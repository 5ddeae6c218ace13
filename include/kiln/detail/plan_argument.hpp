// What a LaunchPlan keeps of an argument, and how a PlanParameter is passed.
#pragma once

#include <kiln/detail/argument.hpp>
#include <kiln/detail/launch_transform.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace kiln {
template <class T>
class PlanParameter;
}  // namespace kiln

namespace kiln::detail {

/// An argument of a recorded launch: a constant where that is not null, else a value that the replays bring.
struct PlanArgument {
  const void* constant = nullptr;
  std::uint64_t plan = 0;
  std::size_t value = 0;
};

template <class T>
struct Passed<PlanParameter<T>> {
  using type = T;
  template <class Parameter>
  static T pass(const Parameter&) {
    static_assert(!std::is_same_v<Parameter, PlanParameter<T>>,
                  "a plan's parameter stands for a value: give it to LaunchPlan::add, and the value to the replay");
    return T{};
  }
};

template <class T>
decltype(auto) recorded(const T& value) {
  static_assert(!is_transformed<T>,
                "a plan's constant cannot be what transform_launch_argument makes for one launch: pass the address, or "
                "make it a parameter of the plan, which each replay brings");
  return Launched<T>::pass(value);
}
template <class T>
const PlanParameter<T>& recorded(const PlanParameter<T>& parameter) {
  return parameter;
}

/// What is passed for host memory is not what the kernel takes, but a note of what to copy.
template <class T>
inline constexpr bool is_passed_as_it_is =
    std::is_same_v<std::decay_t<decltype(Passed<T>::pass(std::declval<const T&>()))>, typename Passed<T>::type>;
template <class... Args>
constexpr void refuse_host_memory() {
  static_assert((is_passed_as_it_is<Args> && ...),
                "a plan copies no host memory (kiln::In, Out, InOut): copy it into a kiln::DeviceBuffer");
}

template <class T>
PlanArgument plan_argument(const T& value) {
  return {std::addressof(value), 0, 0};
}
template <class T>
PlanArgument plan_argument(const PlanParameter<T>& parameter) {
  return parameter.argument();
}

}  // namespace kiln::detail
