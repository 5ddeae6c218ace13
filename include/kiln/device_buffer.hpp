// DeviceBuffer: an owned array in device memory.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

namespace detail {
/// Allocates in the current context's device; 0 for 0 bytes. Throws ArgumentError where count * element_size overflows.
KILN_EXPORT CUdeviceptr allocate_device(std::size_t count, std::size_t element_size);
/// Never throws; a driver that is shutting down is ignored.
KILN_EXPORT void free_device(CUdeviceptr pointer) noexcept;
KILN_EXPORT void copy_to_device(CUdeviceptr target, const void* source, std::size_t bytes);
KILN_EXPORT void copy_to_host(void* target, CUdeviceptr source, std::size_t bytes);
KILN_EXPORT void check_same_size(std::size_t buffer_size, std::size_t host_size);
}  // namespace detail

/// Owns `size()` elements of T on the device that was current at construction, uninitialised unless made from host
/// data. Passed to a kernel it is a `T*`. Movable, not copyable. Copies are synchronous with respect to the host.
/// Reading and writing one buffer from several threads needs the caller's order; the destructor frees (cuMemFree waits
/// for work that uses it) and is safe at process exit. Throws DriverError where the driver fails, out of memory
/// included. Counterpart: pycuda.driver.mem_alloc, to_device and from_device.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types only");

 public:
  using value_type = T;

  explicit DeviceBuffer(std::size_t size) : pointer_(detail::allocate_device(size, sizeof(T))), size_(size) {}
  /// From a contiguous host container: std::vector, std::array, a C array, std::span, anything with data() and size().
  template <class Container, class = decltype(std::data(std::declval<const Container&>())),
            class = std::enable_if_t<std::is_same_v<
                std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Container&>()))>>, T>>>
  explicit DeviceBuffer(const Container& host) : DeviceBuffer(std::size(host)) {
    copy_from(host);
  }
  ~DeviceBuffer() { detail::free_device(pointer_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : pointer_(std::exchange(other.pointer_, 0)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(size_, other.size_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  /// A device address: not to be dereferenced on the host.
  T* data() const noexcept { return reinterpret_cast<T*>(pointer_); }
  operator T*() const noexcept { return data(); }  // NOLINT(google-explicit-constructor): a typed function takes a T*
  CUdeviceptr device_pointer() const noexcept { return pointer_; }
  /// In elements.
  std::size_t size() const noexcept { return size_; }

  /// Throws ArgumentError unless `host` has exactly size() elements.
  template <class Container>
  void copy_from(const Container& host) {
    static_assert(std::is_same_v<std::remove_cv_t<std::remove_pointer_t<decltype(std::data(host))>>, T>,
                  "the host container holds another type than the buffer");
    detail::check_same_size(size_, std::size(host));
    detail::copy_to_device(pointer_, std::data(host), size_ * sizeof(T));
  }
  /// A copy of the elements, once all work before it on the legacy default stream is done.
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    detail::copy_to_host(host.data(), pointer_, size_ * sizeof(T));
    return host;
  }

 private:
  CUdeviceptr pointer_ = 0;
  std::size_t size_ = 0;
};

}  // namespace kiln
