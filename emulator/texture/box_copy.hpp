// Copies of boxes between host memory, device memory and arrays.
#pragma once

#include "emulator/texture/array.hpp"

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::emulator {

/// One side of a copy, as the structures of the driver describe it.
struct CopySide {
  CUmemorytype type = CU_MEMORYTYPE_HOST;
  std::uint64_t address = 0;  // of host, device and unified memory
  CUarray array = nullptr;
  std::size_t x_in_bytes = 0, y = 0, z = 0;
  std::size_t level = 0;
  std::size_t pitch = 0, height = 0;  // of memory
};

struct CopyExtent {
  std::size_t width_in_bytes = 0, height = 1, depth = 1;
};

/// One side, checked.
struct BoxEnd {
  std::byte* first = nullptr;
  std::uint64_t row_bytes = 0, slice_bytes = 0;
  std::shared_ptr<const Array> array;  // kept alive until the copy is done
  bool allocated = false;              // device memory: checked again when the copy runs
  bool pageable = false;               // host memory that is neither allocated by the driver nor registered
};

struct BoxCopy {
  BoxEnd source, target;
  CopyExtent extent;

  bool empty() const { return extent.width_in_bytes == 0 || extent.height == 0 || extent.depth == 0; }
  /// CUDA_ERROR_ILLEGAL_ADDRESS if memory has been freed since.
  CUresult run() const;
  /// Copies the source now, so that the program may change it before the copy runs.
  void stage();

  std::shared_ptr<const std::vector<std::byte>> staged;
};

/// Throws CallError as the driver would.
BoxCopy checked_copy(const CopySide& source, const CopySide& target, const CopyExtent& extent);

}  // namespace kiln::emulator
