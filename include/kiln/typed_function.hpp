// TypedFunction: a kernel whose parameter types the program states.
#pragma once

#include <kiln/detail/typed_argument.hpp>
#include <kiln/function.hpp>

#include <type_traits>
#include <utility>

namespace kiln {

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
  /// The same with In, Out, InOut, what stands for device memory, and what CCCL transforms, among the arguments, for
  /// parameters of type T*.
  template <class... Args, class = std::enable_if_t<is_special<Args...>()>>
  void operator()(const LaunchConfig& config, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    this->template call<Params...>(
        config, detail::as_parameter<Params>(detail::transformed(detail::launch_transform(config.stream, args)))...);
  }
  /// Likewise; waits, and returns the seconds on the device.
  template <class... Args, class = std::enable_if_t<is_special<Args...>()>>
  double timed(const LaunchConfig& config, const Args&... args) const {
    return this->template timed_call<Params...>(
        config, detail::as_parameter<Params>(detail::transformed(detail::launch_transform(config.stream, args)))...);
  }
  /// Does not compile: a stream in the place of the shared memory. Write {grid, block, shared_size, stream}.
  template <class... Args>
  void operator()(const detail::StreamAsSharedSize&, const Args&...) const {
    detail::StreamAsSharedSize::refuse<Args...>();
  }
  /// Does not compile: a stream in the place of the shared memory. Write {grid, block, shared_size, stream}.
  template <class... Args>
  double timed(const detail::StreamAsSharedSize&, const Args&...) const {
    detail::StreamAsSharedSize::refuse<Args...>();
    return 0;
  }
};

}  // namespace kiln
