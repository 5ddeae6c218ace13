// DeviceAddress: an address in device memory, however the caller holds it.
#pragma once

#include <kiln/driver_types.hpp>

#include <type_traits>

namespace kiln {

/// For parameters: made from a CUdeviceptr, a pointer (cudaMalloc's, thrust's raw one), a DeviceBuffer, or anything
/// that converts to a pointer. A plain value, which owns nothing. Counterpart: CUdeviceptr.
class DeviceAddress {
 public:
  /// From a number, or a pointer to device or managed memory.
  constexpr DeviceAddress(CUdeviceptr address) noexcept : address_(address) {}  // NOLINT(google-explicit-constructor)
  template <class Pointer, class = std::enable_if_t<std::is_convertible_v<const Pointer&, const volatile void*>>>
  DeviceAddress(const Pointer& pointer) noexcept  // NOLINT(google-explicit-constructor)
      : address_(reinterpret_cast<CUdeviceptr>(static_cast<const volatile void*>(pointer))) {}

  /// As the driver takes it.
  constexpr operator CUdeviceptr() const noexcept { return address_; }  // NOLINT(google-explicit-constructor)

 private:
  CUdeviceptr address_;
};

}  // namespace kiln
