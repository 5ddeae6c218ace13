// Fills of device memory, under PyCUDA's names.
//
// Ordered as memcpy.hpp says of copies: those without a stream as work of the legacy default stream of the memory's
// device, and they may go on after they return; the others in their stream, where they may be captured into a graph.
// Callable from any thread. All throw ArgumentError for a null address and for rows that overlap, DriverError where the
// driver fails (an address that is no multiple of the value's size, for one).
#pragma once

#include <kiln/device_address.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>

namespace kiln {

/// Sets `count` values of 1, 2 or 4 bytes. Counterpart of each: the function of pycuda.driver with its name.
KILN_EXPORT void memset_d8(DeviceAddress dest, unsigned char data, std::size_t count);
KILN_EXPORT void memset_d16(DeviceAddress dest, unsigned short data, std::size_t count);
KILN_EXPORT void memset_d32(DeviceAddress dest, unsigned data, std::size_t count);
KILN_EXPORT void memset_d8_async(DeviceAddress dest, unsigned char data, std::size_t count, CUstream stream);
KILN_EXPORT void memset_d16_async(DeviceAddress dest, unsigned short data, std::size_t count, CUstream stream);
KILN_EXPORT void memset_d32_async(DeviceAddress dest, unsigned data, std::size_t count, CUstream stream);

/// Sets the first `width` values of each of `height` rows, `pitch` bytes from one to the next. Counterparts likewise.
KILN_EXPORT void memset_d2d8(DeviceAddress dest, std::size_t pitch, unsigned char data, std::size_t width,
                             std::size_t height);
KILN_EXPORT void memset_d2d16(DeviceAddress dest, std::size_t pitch, unsigned short data, std::size_t width,
                              std::size_t height);
KILN_EXPORT void memset_d2d32(DeviceAddress dest, std::size_t pitch, unsigned data, std::size_t width,
                              std::size_t height);
KILN_EXPORT void memset_d2d8_async(DeviceAddress dest, std::size_t pitch, unsigned char data, std::size_t width,
                                   std::size_t height, CUstream stream);
KILN_EXPORT void memset_d2d16_async(DeviceAddress dest, std::size_t pitch, unsigned short data, std::size_t width,
                                    std::size_t height, CUstream stream);
KILN_EXPORT void memset_d2d32_async(DeviceAddress dest, std::size_t pitch, unsigned data, std::size_t width,
                                    std::size_t height, CUstream stream);

}  // namespace kiln
