// HostRegistration: page-locks memory that the program has already, for a while.
#pragma once

#include <kiln/detail/host_container.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace kiln {

/// Counterpart: pycuda.driver.mem_host_register_flags, CU_MEMHOSTREGISTER_*.
struct HostRegistrationFlags {
  /// Page-locked for every context, not for the current one alone.
  bool portable = true;
  /// Kernels may use it in place.
  bool mapped = true;
  /// The memory of a device of another vendor.
  bool io_memory = false;
  /// The device only reads it. Not every system can distinguish these.
  bool read_only = false;
};

/// Page-locks memory of the caller, which must stay in place until this object is destroyed, and until copies and
/// kernels that use it are done. Memory that is page-locked already is refused by the driver. Movable, not copyable.
/// The destructor ends it, from any thread, and is safe at process exit. Throws ArgumentError for a null pointer,
/// DriverError where the driver fails. Counterpart: pycuda.driver.register_host_memory, cuMemHostRegister.
class KILN_EXPORT HostRegistration {
 public:
  /// `bytes` bytes from `pointer` on.
  HostRegistration(void* pointer, std::size_t bytes, HostRegistrationFlags flags = {});
  /// The elements of a contiguous container, which must not grow meanwhile.
  template <class Container, class = std::enable_if_t<detail::is_host_source<Container>>>
  explicit HostRegistration(Container& container, HostRegistrationFlags flags = {})
      : HostRegistration(std::data(container), detail::byte_size(container), flags) {}
  ~HostRegistration();
  HostRegistration(HostRegistration&& other) noexcept
      : pointer_(std::exchange(other.pointer_, nullptr)), device_(std::exchange(other.device_, 0)) {}
  HostRegistration& operator=(HostRegistration&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(device_, other.device_);
    return *this;
  }
  HostRegistration(const HostRegistration&) = delete;
  HostRegistration& operator=(const HostRegistration&) = delete;

  /// The memory as the device sees it; 0 where it is not mapped. Counterpart: HostPointer.get_device_pointer.
  CUdeviceptr device_pointer() const noexcept { return device_; }

 private:
  void* pointer_ = nullptr;
  CUdeviceptr device_ = 0;
};

}  // namespace kiln
