// TypedFunction: a kernel whose parameter types the program states.
#pragma once

#include <kiln/function.hpp>

#include <type_traits>
#include <utility>

namespace kiln {

namespace detail {

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
inline constexpr bool is_passed_specially = is_host_argument<Arg> ||
                                            (is_device_memory<Arg> && !std::is_convertible_v<const Arg&, Param>);

/// How a typed call takes a parameter: a large one is not copied on its way.
template <class Param>
using TypedArgument = std::conditional_t<(sizeof(Param) > 16), const Param&, Param>;

}  // namespace detail

template <class Signature>
class TypedFunction;

/// A Function whose parameter types the caller stated: they are checked once, here, and every call converts its
/// arguments to them as a C++ call does. PyCUDA has no counterpart; its prepare() states types too.
template <class... Params>
class TypedFunction<void(Params...)> : public Function {
  static_assert(!(std::is_reference_v<Params> || ...), "a kernel's parameters are values: state float, not float&");
  static_assert(!(detail::is_host_container<Params> || ...),
                "a container of the host cannot be passed to a kernel: state T*, and pass a kiln::DeviceBuffer<T>");
  static_assert((std::is_trivially_copyable_v<Params> && ...),
                "a kernel argument is passed by value, so its type must be trivially copyable; state T* for a "
                "kiln::DeviceBuffer<T>");

  template <class... Args>
  static constexpr bool is_special() {
    if constexpr (sizeof...(Args) == sizeof...(Params))
      return (detail::is_passed_specially<Params, Args> || ...);
    else
      return false;
  }

 public:
  /// Throws ArgumentError where the kernel takes something else.
  explicit TypedFunction(Function function) : Function(std::move(function)) {
    check_types(detail::signature<Params...>);
  }

  /// As Function's, with the stated types.
  void operator()(const LaunchConfig& config, detail::TypedArgument<Params>... args) const {
    this->template call<Params...>(config, args...);
  }
  /// Likewise; waits, and returns the seconds on the device.
  double timed(const LaunchConfig& config, detail::TypedArgument<Params>... args) const {
    return this->template timed_call<Params...>(config, args...);
  }
  /// The same with In, Out, InOut and what stands for device memory among the arguments, for parameters of type T*.
  template <class... Args, class = std::enable_if_t<is_special<Args...>()>>
  void operator()(const LaunchConfig& config, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    this->template call<Params...>(config, detail::as_parameter<Params>(args)...);
  }
  /// Likewise; waits, and returns the seconds on the device.
  template <class... Args, class = std::enable_if_t<is_special<Args...>()>>
  double timed(const LaunchConfig& config, const Args&... args) const {
    return this->template timed_call<Params...>(config, detail::as_parameter<Params>(args)...);
  }
};

}  // namespace kiln
