// ManagedBuffer: memory that moves between host and device as it is used.
#pragma once

#include <kiln/detail/managed_memory.hpp>
#include <kiln/device_pointer.hpp>
#include <kiln/driver_types.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace kiln {

/// In the place of a device's number: the host.
inline constexpr int host_place = -1;

/// Counterpart: pycuda.driver.mem_attach_flags, CUmemAttach_flags.
enum class ManagedAttach { global = 1, host = 2 };

/// Counterpart: CUmem_advise.
enum class MemAdvice {
  set_read_mostly = 1,
  unset_read_mostly = 2,
  set_preferred_location = 3,
  unset_preferred_location = 4,
  set_accessed_by = 5,
  unset_accessed_by = 6,
};

/// Owns `size()` elements of T in managed memory, uninitialised: a contiguous container of the host, and passed to a
/// kernel the same `T*`. The host may touch it while no kernel works on it (on devices with concurrent managed access:
/// on other elements too). Movable, not copyable. The destructor frees (cuMemFree waits for work that uses it) and is
/// safe at process exit. Throws ArgumentError for a size that overflows, DriverError where the driver fails.
/// Counterpart: pycuda.driver.managed_empty, cuMemAllocManaged.
template <class T>
class ManagedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "managed memory holds trivially copyable types only");

 public:
  using value_type = T;  ///< the element's type

  /// In elements.
  explicit ManagedBuffer(std::size_t size, ManagedAttach attach = ManagedAttach::global)
      : pointer_(detail::allocate_managed(size, sizeof(T), attach)), size_(size) {}
  ~ManagedBuffer() { detail::free_managed(pointer_); }
  ManagedBuffer(ManagedBuffer&& other) noexcept
      : pointer_(std::exchange(other.pointer_, 0)), size_(std::exchange(other.size_, 0)) {}
  ManagedBuffer& operator=(ManagedBuffer&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(size_, other.size_);
    return *this;
  }
  ManagedBuffer(const ManagedBuffer&) = delete;
  ManagedBuffer& operator=(const ManagedBuffer&) = delete;

  /// The first element, on the host.
  T* data() noexcept { return reinterpret_cast<T*>(pointer_); }
  const T* data() const noexcept { return reinterpret_cast<const T*>(pointer_); }
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
  /// Counterpart: ManagedAllocation.get_device_pointer.
  CUdeviceptr device_pointer() const noexcept { return pointer_; }

  /// Moves the memory to a device, or to host_place, in the order of `stream`. Counterpart: cuMemPrefetchAsync.
  void prefetch(int place, CUstream stream = nullptr) const {
    detail::prefetch_managed(pointer_, size_ * sizeof(T), place, stream);
  }
  /// `place` is a device or host_place; some kinds of advice take no notice of it. Counterpart: cuMemAdvise.
  void advise(MemAdvice advice, int place) const { detail::advise_managed(pointer_, size_ * sizeof(T), advice, place); }

 private:
  CUdeviceptr pointer_ = 0;
  std::size_t size_ = 0;
};

/// A kernel takes the buffer's device address.
template <class T>
struct DevicePointer<ManagedBuffer<T>> {
  /// The address of its first element.
  static T* get(const ManagedBuffer<T>& buffer) noexcept { return reinterpret_cast<T*>(buffer.device_pointer()); }
};

}  // namespace kiln
