// PinnedBuffer: page-locked host memory, which the device copies to and from on its own, and can read in place.
#pragma once

#include <kiln/detail/pinned_memory.hpp>
#include <kiln/device_pointer.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace kiln {

/// Counterpart: pycuda.driver.host_alloc_flags, CU_MEMHOSTALLOC_*.
struct PinnedFlags {
  /// Page-locked for every context, not for the current one alone.
  bool portable = true;
  /// Kernels may use it in place.
  bool mapped = true;
  /// Quicker for the device, and very slow for the host to read.
  bool write_combined = false;
};

/// Owns `size()` elements of T in page-locked host memory, uninitialised: a contiguous container of the host. Passed to
/// a kernel it is the `T*` by which the device reaches that memory, over the bus. Movable, not copyable. The destructor
/// frees (copies and kernels that use it must be done), from any thread, and is safe at process exit. Throws
/// ArgumentError for a size that overflows, DriverError where the driver fails. Counterpart:
/// pycuda.driver.pagelocked_empty, cuMemHostAlloc.
template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "page-locked memory holds trivially copyable types only");

 public:
  using value_type = T;  ///< the element's type

  /// In elements.
  explicit PinnedBuffer(std::size_t size, PinnedFlags flags = {})
      : memory_(detail::allocate_pinned(size, sizeof(T), flags)), size_(size) {}
  ~PinnedBuffer() { detail::free_pinned(memory_.host); }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : memory_(std::exchange(other.memory_, {})), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  /// The first element, on the host.
  T* data() noexcept { return static_cast<T*>(memory_.host); }
  const T* data() const noexcept { return static_cast<const T*>(memory_.host); }
  /// In elements.
  std::size_t size() const noexcept { return size_; }
  /// As a host container's.
  /// @{
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  T& operator[](std::size_t index) noexcept { return data()[index]; }
  const T& operator[](std::size_t index) const noexcept { return data()[index]; }
  /// @}

  /// The same memory as the device sees it. Throws ArgumentError where it is not mapped. Counterpart:
  /// HostPointer.get_device_pointer.
  T* device_data() const {
    if (memory_.device == 0 && size_ != 0) detail::refuse_unmapped();
    return reinterpret_cast<T*>(memory_.device);
  }

 private:
  detail::PinnedMemory memory_;
  std::size_t size_ = 0;
};

/// A kernel takes the buffer's device address.
template <class T>
struct DevicePointer<PinnedBuffer<T>> {
  /// The address of its first element.
  static T* get(const PinnedBuffer<T>& buffer) { return buffer.device_data(); }
};

}  // namespace kiln
