// PitchedBuffer: an owned matrix in device memory, whose rows are aligned.
#pragma once

#include <kiln/detail/device_memory.hpp>
#include <kiln/detail/host_container.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/device_pointer.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/memcpy_2d.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// Owns `height()` rows of `width()` elements of T on the device that was current at construction, uninitialised; a row
/// begins pitch() bytes after the one before. Passed to a kernel it is a `T*` to the first row. Movable, not copyable.
/// Copies, threads, the destructor and what is thrown are as of DeviceBuffer; parts are copied by Memcpy2D.
/// Counterpart: pycuda.driver.mem_alloc_pitch, cuMemAllocPitch.
template <class T>
class PitchedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types only");

 public:
  using value_type = T;  ///< the element's type

  /// In elements.
  PitchedBuffer(std::size_t width, std::size_t height)
      : pointer_(detail::allocate_pitched(width, height, sizeof(T), pitch_)), width_(width), height_(height) {}
  ~PitchedBuffer() { detail::free_device(pointer_); }
  PitchedBuffer(PitchedBuffer&& other) noexcept { swap(other); }
  PitchedBuffer& operator=(PitchedBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  PitchedBuffer(const PitchedBuffer&) = delete;
  PitchedBuffer& operator=(const PitchedBuffer&) = delete;

  /// A device address: not to be dereferenced on the host.
  T* data() const noexcept { return reinterpret_cast<T*>(pointer_); }
  /// data(), and the same as the driver takes it.
  /// @{
  operator T*() const noexcept { return data(); }  // NOLINT(google-explicit-constructor)
  CUdeviceptr device_pointer() const noexcept { return pointer_; }
  /// @}
  /// The host cannot read or write device memory: copies are by copy_from() and copy_to().
  template <class Index>
  T& operator[](Index) const = delete;
  /// In elements.
  std::size_t width() const noexcept { return width_; }
  std::size_t height() const noexcept { return height_; }  ///< rows
  /// In bytes.
  std::size_t pitch() const noexcept { return pitch_; }

  /// All rows, from a host container of width() * height() elements without gaps.
  template <class Container>
  void copy_from(const Container& host) {
    from(host)();
  }
  template <class Container>
  void copy_from(Container&& host, CUstream stream) {
    static_assert(detail::outlives_call<Container>, "the host memory of an asynchronous copy must not be a temporary");
    from(host)(stream);
  }
  /// All rows, into such a container.
  template <class Container>
  void copy_to(Container&& host) const {
    static_assert(detail::outlives_call<Container>, "the target of a copy must not be a temporary");
    to(host)();
  }
  template <class Container>
  void copy_to(Container&& host, CUstream stream) const {
    static_assert(detail::outlives_call<Container>, "the target of a copy must not be a temporary");
    to(host)(stream);
  }
  /// A copy of the elements, without gaps.
  std::vector<T> to_host() const {
    std::vector<T> host(width_ * height_);
    copy_to(host);
    return host;
  }

 private:
  template <class Container>
  Memcpy2D whole(const Container& host) const {
    static_assert(detail::is_host_source<const Container> &&
                      std::is_same_v<std::remove_cv_t<detail::ElementOf<const Container>>, T>,
                  "a host container with elements of the buffer's type is needed");
    detail::check_same_size(width_ * height_, std::size(host));
    Memcpy2D copy;
    copy.width_in_bytes = width_ * sizeof(T);
    copy.height = height_;
    return copy;
  }
  template <class Container>
  Memcpy2D from(const Container& host) const {
    Memcpy2D copy = whole(host);
    copy.set_src_host(std::data(host));
    copy.set_dst_device(pointer_);
    copy.dst_pitch = pitch_;
    return copy;
  }
  template <class Container>
  Memcpy2D to(Container& host) const {
    Memcpy2D copy = whole(host);
    copy.set_src_device(pointer_);
    copy.src_pitch = pitch_;
    copy.set_dst_host(std::data(host));
    return copy;
  }
  void swap(PitchedBuffer& other) noexcept {
    std::swap(pitch_, other.pitch_);
    std::swap(pointer_, other.pointer_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
  }

  std::size_t pitch_ = 0;
  CUdeviceptr pointer_ = 0;
  std::size_t width_ = 0;
  std::size_t height_ = 0;
};

/// A kernel takes the buffer's device address.
template <class T>
struct DevicePointer<PitchedBuffer<T>> {
  /// The address of its first element.
  static T* get(const PitchedBuffer<T>& buffer) noexcept { return buffer.data(); }
};

}  // namespace kiln
