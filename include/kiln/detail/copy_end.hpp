// CopyEnd: what a Memcpy2D keeps of its two sides.
#pragma once

namespace kiln::detail {

/// CopyEnd: what a Memcpy2D keeps of its two sides.
struct CopyEnd {
  enum class Memory { unset, host, device, array, unified };
  Memory memory = Memory::unset;
  /// The address, or the array's handle.
  unsigned long long address = 0;
};

}  // namespace kiln::detail
