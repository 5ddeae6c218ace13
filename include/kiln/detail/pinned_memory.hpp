// Page-locked memory.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>

namespace kiln {
struct PinnedFlags;
}  // namespace kiln

namespace kiln::detail {

struct PinnedMemory {
  void* host;
  /// 0 where it is not mapped.
  CUdeviceptr device;
};
KILN_EXPORT PinnedMemory allocate_pinned(std::size_t count, std::size_t element_size, PinnedFlags flags);
KILN_EXPORT void free_pinned(void* host) noexcept;
[[noreturn]] KILN_EXPORT void refuse_unmapped();

}  // namespace kiln::detail
