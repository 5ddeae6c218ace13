// How the buffers are filled.
#pragma once

#include <kiln/device_address.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>

namespace kiln::detail {

/// Sets `count` elements of any size to the `size` bytes at `value`; by null `stream` as memset_d8, else in *stream.
KILN_EXPORT void fill(DeviceAddress dest, const void* value, std::size_t size, std::size_t count,
                      const CUstream* stream);

}  // namespace kiln::detail
