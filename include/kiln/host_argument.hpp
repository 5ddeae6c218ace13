// In, Out, InOut: host memory as kernel arguments.
#pragma once

#include <kiln/detail/host_argument.hpp>

#include <iterator>
#include <type_traits>

namespace kiln {

/// A kernel argument that points to a copy of host memory: the launch allocates device memory from the stream's pool,
/// copies to it before the kernel runs, and frees it after the kernel, all in the launch's own stream. `host` is a
/// std::vector, std::array, C array, std::span or whatever else has data() and size(); the kernel takes a T* or a const
/// T*; nothing in it is a null pointer. It refers to `host`, which must live until the stream is past the launch: a
/// call that waits takes temporaries too, one that does not refuses them. A plain value, good for any number of calls.
/// Counterpart: pycuda.driver.In.
template <class T, bool temporary = false>
class In : public detail::HostArgument<T, temporary> {
 public:
  /// Of a contiguous host container, which must outlive the call.
  template <class Host, class = std::enable_if_t<detail::is_new_host<Host>>>
  explicit In(Host&& host) : detail::HostArgument<T, temporary>(std::data(host), nullptr, std::size(host)) {
    detail::check_host<T, temporary, Host>();
  }
};
template <class Host, class = std::enable_if_t<detail::is_new_host<Host>>>
In(Host&&) -> In<std::remove_cv_t<detail::host_element<Host>>, detail::is_temporary_host<Host>>;

/// The other way: the device memory is uninitialised, and copied to `host` after the kernel, which should write all of
/// it. Counterpart: pycuda.driver.Out.
template <class T>
class Out : public detail::HostArgument<T, false> {
  static_assert(!std::is_const_v<T>, "kiln::Out writes to the host's memory, which is const here: use kiln::In");

 public:
  /// Of a contiguous host container, which must outlive the call.
  template <class Host, class = std::enable_if_t<detail::is_new_host<Host>>>
  explicit Out(Host&& host) : detail::HostArgument<T, false>(nullptr, std::data(host), std::size(host)) {
    detail::check_host<T, true, Host>();
    static_assert(!detail::is_temporary_host<Host>, "kiln::Out of a temporary: what is written would be lost");
  }
};
template <class Host, class = std::enable_if_t<detail::is_new_host<Host>>>
Out(Host&&) -> Out<detail::host_element<Host>>;

/// Both ways. Counterpart: pycuda.driver.InOut.
template <class T>
class InOut : public detail::HostArgument<T, false> {
  static_assert(!std::is_const_v<T>, "kiln::InOut writes to the host's memory, which is const here: use kiln::In");

 public:
  /// Of a contiguous host container, which must outlive the call.
  template <class Host, class = std::enable_if_t<detail::is_new_host<Host>>>
  explicit InOut(Host&& host) : detail::HostArgument<T, false>(std::data(host), std::data(host), std::size(host)) {
    detail::check_host<T, true, Host>();
    static_assert(!detail::is_temporary_host<Host>, "kiln::InOut of a temporary: what is written would be lost");
  }
};
template <class Host, class = std::enable_if_t<detail::is_new_host<Host>>>
InOut(Host&&) -> InOut<detail::host_element<Host>>;

}  // namespace kiln
