// How a TypedFunction takes its arguments.
#pragma once

#include <kiln/detail/argument.hpp>
#include <kiln/detail/host_argument.hpp>
#include <kiln/detail/launch_transform.hpp>

#include <type_traits>

namespace kiln::detail {

/// What an argument is for a parameter of type Param: the device address of what stands for one, the slot of a host
/// argument, else what C++ converts it to.
template <class Param, class Arg>
decltype(auto) as_parameter(const Arg& argument) {
  if constexpr (is_host_argument<Arg>) {
    using Element = typename Arg::element_type;
    static_assert(std::is_convertible_v<Element*, Param>,
                  "kiln::In, Out or InOut of another element type than the kernel's parameter points to");
    return argument.slot();
  } else if constexpr (is_device_memory<Arg> && !std::is_convertible_v<const Arg&, Param>) {
    static_assert(std::is_convertible_v<typename Passed<Arg>::type, Param>,
                  "an argument whose device address is no value of the parameter's type");
    return static_cast<Param>(Passed<Arg>::pass(argument));
  } else {
    static_assert(std::is_convertible_v<const Arg&, Param>, "an argument that is no value of the parameter's type");
    return static_cast<Param>(argument);
  }
}

/// Whether a C++ conversion does not make the parameter of the argument, but Kiln does.
template <class Param, class Arg>
inline constexpr bool is_passed_specially = is_host_argument<Arg> || is_transformed<Arg> ||
                                            (is_device_memory<Arg> && !std::is_convertible_v<const Arg&, Param>);

/// How a typed call takes a parameter: a large one is not copied on its way.
template <class Param>
using TypedArgument = std::conditional_t<(sizeof(Param) > 16), const Param&, Param>;

}  // namespace kiln::detail
