// How DeviceBuffer and PitchedBuffer get and free their memory, and check sizes.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>

namespace kiln::detail {

/// Allocates in the current context's device; 0 for 0 bytes. Throws ArgumentError where count * element_size overflows.
KILN_EXPORT CUdeviceptr allocate_device(std::size_t count, std::size_t element_size);
/// Likewise from the stream-ordered pool of the stream's device.
KILN_EXPORT CUdeviceptr allocate_device(std::size_t count, std::size_t element_size, CUstream stream);
/// Never throws; a driver that is shutting down is ignored.
KILN_EXPORT void free_device(CUdeviceptr pointer) noexcept;
KILN_EXPORT void free_device(CUdeviceptr pointer, CUstream stream) noexcept;
KILN_EXPORT void check_same_size(std::size_t buffer_size, std::size_t host_size);
KILN_EXPORT void check_range(std::size_t buffer_size, std::size_t offset, std::size_t count);
KILN_EXPORT void wait_for(CUstream stream);
/// The number of the device that has the memory; of the current one where the driver does not know the address.
KILN_EXPORT int device_of(CUdeviceptr memory);
/// Throws ArgumentError where kernels in the stream cannot use memory of that device: another one, to which
/// peer access was not enabled.
KILN_EXPORT void check_reachable(int device, CUdeviceptr memory, CUstream stream);
KILN_EXPORT CUdeviceptr allocate_pitched(std::size_t width, std::size_t height, std::size_t element_size,
                                         std::size_t& pitch);

}  // namespace kiln::detail
