// DeviceBuffer: an owned array in device memory.
#pragma once

#include <kiln/detail/device_memory.hpp>
#include <kiln/detail/fill.hpp>
#include <kiln/detail/host_container.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/memset.hpp>
#include <kiln/stream.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

template <class T>
class DeviceBuffer;

namespace detail {
template <class T>
struct HoldsHostMemory<DeviceBuffer<T>> : std::false_type {};
}  // namespace detail

/// Owns `size()` elements of T on the device that was current at construction, uninitialised unless made from host
/// data. Passed to a kernel it is a `T*`. Movable, not copyable. A copy without a stream is ordered as memcpy.hpp says
/// of synchronous ones (of a buffer that was made on a stream: in that stream), and the host waits for it; one with a
/// stream is asynchronous, also as said there. Another device may be current, and the other buffer of a copy may be on
/// another device. Reading and writing one buffer from several threads needs the caller's order; the destructor frees
/// (cuMemFree waits for work that uses it) and is safe at process exit. Throws ArgumentError where sizes do not fit,
/// DriverError where the driver fails, out of memory included. Counterpart: pycuda.driver.mem_alloc, to_device and
/// from_device.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types only");

 public:
  using value_type = T;  ///< the element's type

  /// Of so many elements, which are not initialised. Throws DriverError where the device has no room.
  explicit DeviceBuffer(std::size_t size) : pointer_(detail::allocate_device(size, sizeof(T))), size_(size) {}
  /// From a contiguous host container: std::vector, std::array, a C array, std::span, anything with data() and size().
  template <class Container,
            class = std::enable_if_t<detail::is_host_source<const Container> &&
                                     std::is_same_v<std::remove_cv_t<detail::ElementOf<const Container>>, T>>>
  explicit DeviceBuffer(const Container& host) : DeviceBuffer(std::size(host)) {
    copy_from(host);
  }
  /// From the pool of the stream's device, for use in the order of `stream`; other streams must wait for it. The
  /// destructor frees in that order and does not wait: so the next buffer on the stream may get the same memory while
  /// work in the stream still uses this one. A kiln::Stream is kept until then, also where its owner drops it first; a
  /// CUstream must stay until the buffer is destroyed. Work of other streams on it must be done, or ordered before the
  /// end, by then. Counterpart: cuMemAllocAsync.
  static DeviceBuffer on_stream(std::size_t size, const SharedStream& stream) {
    return DeviceBuffer(detail::allocate_device(size, sizeof(T), stream.handle()), size, stream);
  }
  ~DeviceBuffer() { stream_ == nullptr ? detail::free_device(pointer_) : detail::free_device(pointer_, stream_.get()); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : pointer_(std::exchange(other.pointer_, 0)),
        size_(std::exchange(other.size_, 0)),
        stream_(std::move(other.stream_)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(size_, other.size_);
    stream_.swap(other.stream_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  /// A device address: not to be dereferenced on the host.
  T* data() const noexcept { return reinterpret_cast<T*>(pointer_); }
  /// data(), and the same as the driver takes it.
  /// @{
  operator T*() const noexcept { return data(); }  // NOLINT(google-explicit-constructor): a typed function takes a T*
  CUdeviceptr device_pointer() const noexcept { return pointer_; }
  /// @}
  /// The host cannot read or write device memory: to_host(), read() and write() copy; data() + i is an address.
  template <class Index>
  T& operator[](Index) const = delete;
  /// In elements.
  std::size_t size() const noexcept { return size_; }

  /// All elements, from a host container of exactly size() elements. Counterpart: memcpy_htod.
  template <class Container>
  void copy_from(const Container& host) {
    detail::check_same_size(size_, std::size(host));
    write(0, host);
  }
  template <class Container, class = std::enable_if_t<detail::is_host_source<std::remove_reference_t<Container>>>>
  void copy_from(Container&& host, CUstream stream) {
    detail::check_same_size(size_, std::size(host));
    write(0, std::forward<Container>(host), stream);
  }
  /// All elements, from a buffer of the same size, maybe on another device; does not wait for the copy. Counterpart:
  /// memcpy_dtod.
  void copy_from(const DeviceBuffer& other) {
    if (stream_ != nullptr) return copy_from(other, stream_.get());
    detail::check_same_size(size_, other.size_);
    memcpy_dtod(pointer_, other.pointer_, size_ * sizeof(T));
  }
  void copy_from(const DeviceBuffer& other, CUstream stream) {
    detail::check_same_size(size_, other.size_);
    memcpy_dtod_async(pointer_, other.pointer_, size_ * sizeof(T), stream);
  }
  /// All elements, into a host container of exactly size() elements. Counterpart: memcpy_dtoh.
  template <class Container>
  void copy_to(Container&& host) const {
    detail::check_same_size(size_, std::size(host));
    read(0, std::forward<Container>(host));
  }
  template <class Container>
  void copy_to(Container&& host, CUstream stream) const {
    detail::check_same_size(size_, std::size(host));
    read(0, std::forward<Container>(host), stream);
  }
  /// A copy of the elements. Counterpart: from_device.
  std::vector<T> to_host() const {
    if constexpr (std::is_same_v<T, bool>) {
      detail::HostBools host(size_);
      read(0, host);
      return std::vector<bool>(host.data(), host.data() + size_);
    } else {
      std::vector<T> host(size_);
      read(0, host);
      return host;
    }
  }

  /// Fills the elements from `offset` on, as many as the host container has.
  template <class Container>
  void write(std::size_t offset, const Container& host) {
    if (stream_ == nullptr) return memcpy_htod(part(offset, host), host);
    write(offset, host, stream_.get());
    detail::wait_for(stream_.get());
  }
  template <class Container>
  void write(std::size_t offset, Container&& host, CUstream stream) {
    memcpy_htod_async(part(offset, host), std::forward<Container>(host), stream);
  }
  /// Fills the host container with the elements from `offset` on.
  template <class Container>
  void read(std::size_t offset, Container&& host) const {
    if (stream_ == nullptr) return memcpy_dtoh(std::forward<Container>(host), part(offset, host));
    read(offset, std::forward<Container>(host), stream_.get());
    detail::wait_for(stream_.get());
  }
  template <class Container>
  void read(std::size_t offset, Container&& host, CUstream stream) const {
    memcpy_dtoh_async(std::forward<Container>(host), part(offset, host), stream);
  }

  /// Sets all elements; does not wait until that is done. Fastest where the value's 4-byte words are alike, as in 0.
  /// Counterpart: memset_d8, memset_d16, memset_d32.
  void fill(const T& value) {
    CUstream stream = stream_.get();
    detail::fill(pointer_, &value, sizeof(T), size_, stream_ != nullptr ? &stream : nullptr);
  }
  void fill(const T& value, CUstream stream) { detail::fill(pointer_, &value, sizeof(T), size_, &stream); }

 private:
  DeviceBuffer(CUdeviceptr pointer, std::size_t size, const SharedStream& stream) noexcept
      : pointer_(pointer), size_(size), stream_(stream.share()) {}

  template <class Container>
  CUdeviceptr part(std::size_t offset, const Container& host) const {
    static_assert(detail::is_host_source<const Container> &&
                      std::is_same_v<std::remove_cv_t<detail::ElementOf<const Container>>, T>,
                  "a host container with elements of the buffer's type is needed");
    detail::check_range(size_, offset, std::size(host));
    return pointer_ + offset * sizeof(T);
  }

  CUdeviceptr pointer_ = 0;
  std::size_t size_ = 0;
  std::shared_ptr<CUstream_st> stream_;  // of a buffer that was made on a stream
};

}  // namespace kiln
