// GlobalVariable: a variable of loaded code, read and written from the host.
#pragma once

#include <kiln/detail/global_variable.hpp>
#include <kiln/detail/host_container.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/memset.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// A __device__, __constant__ or __managed__ variable on one device, as Module::get_global gives it. A value:
/// copies are the same variable, and keep the module's code loaded, as a Function does. What it points to is written:
///
///   module.get_global("factor").set(2.0f);
///   module.get_global("coefficients").copy_from(std::vector<float>{1, 4, 6, 4, 1});
///
/// Code does not say its variables' types, so sizes alone are checked: a float variable takes 2.0f or set<float>(2),
/// not 2, which are other bytes. Copies and fills are ordered as memcpy.hpp and memset.hpp say, with or without a
/// stream, whichever device is current. Callable from any thread; threads that write one variable need the caller's
/// order. All throw ArgumentError, which names the variable, where sizes do not fit, and DriverError where the driver
/// fails. Counterpart: what PyCUDA's Module.get_global returns, with memcpy_htod.
struct GlobalVariable {
  CUdeviceptr pointer = 0;  ///< on the device that was current at get_global
  /// In bytes.
  std::size_t size = 0;
  std::string name = {};  ///< for error texts: qualified, such as "config::value"
  /// What keeps the code loaded; empty for a variable that is made by hand.
  std::shared_ptr<const void> code = {};

  /// Sets the variable, of exactly T's size: a scalar, an enumeration, a trivially copyable struct or array, a device
  /// pointer (`buffer.data()`). Counterpart: memcpy_htod.
  template <class T>
  void set(const T& value) const {
    check_value<T>();
    memcpy_htod(pointer, &value, sizeof(T));
  }
  /// The same in the stream's order. The value is read before this returns, so it may be a temporary, also where the
  /// stream is being captured: it is written by fills of its words. So it has at most 256 bytes; copy_from takes more.
  template <class T>
  void set(const T& value, CUstream stream) const {
    check_value<T>();
    static_assert(sizeof(T) <= 256, "more than 256 bytes are set in a stream by copy_from(container, stream)");
    detail::write_words(pointer, &value, sizeof(T), stream);
  }
  /// The variable's value, as a T of exactly its size. Counterpart: memcpy_dtoh.
  template <class T>
  T get() const {
    check_value<T>();
    static_assert(std::is_default_constructible_v<T>, "a value is made, then read into");
    T value{};
    memcpy_dtoh(&value, pointer, sizeof(T));
    return value;
  }

  /// Fills the variable from a contiguous host container of exactly its size, as memcpy_htod and memcpy_htod_async take
  /// one. To fill a part: memcpy_htod(variable.pointer, container). Counterpart: memcpy_htod.
  template <class Container, class = std::enable_if_t<detail::is_host_source<const Container>>>
  void copy_from(const Container& host) const {
    detail::check_variable_container(name, size, detail::byte_size(host));
    memcpy_htod(pointer, host);
  }
  template <class Container, class = std::enable_if_t<detail::is_host_source<const std::remove_reference_t<Container>>>>
  void copy_from(Container&& host, CUstream stream) const {
    detail::check_variable_container(name, size, detail::byte_size(host));
    memcpy_htod_async(pointer, std::forward<Container>(host), stream);
  }
  /// A copy of the variable's elements; its size must be a multiple of T's. Counterpart: memcpy_dtoh.
  template <class T>
  std::vector<T> to_host() const {
    static_assert(std::is_trivially_copyable_v<T>, "a variable is copied byte by byte");
    detail::check_variable_elements(name, size, sizeof(T));
    std::vector<T> host(size / sizeof(T));
    memcpy_dtoh(host, pointer);
    return host;
  }

  /// Sets every byte. Counterpart: memset_d8.
  void fill(unsigned char byte) const { memset_d8(pointer, byte, size); }
  void fill(unsigned char byte, CUstream stream) const { memset_d8_async(pointer, byte, size, stream); }

 private:
  template <class T>
  void check_value() const {
    static_assert(std::is_trivially_copyable_v<T>, "a variable is copied byte by byte: copy_from takes containers");
    static_assert(!detail::is_host_source<const T> || std::is_array_v<T> || std::is_aggregate_v<T>,
                  "this is a view of elements elsewhere: copy_from takes it");
    detail::check_variable_size(name, size, sizeof(T));
  }
};

}  // namespace kiln
