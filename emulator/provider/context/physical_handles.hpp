// The handles of cuMemCreate.
#pragma once

#include "emulator/memory/virtual_memory.hpp"

#include <cuda.h>

#include <map>
#include <mutex>

namespace kiln::emulator {

/// A block of memory has one handle, which counts how often it was given. Thread-safe.
class PhysicalHandles {
 public:
  static PhysicalHandles& get();

  /// Gives the handle once more, also where it was released and only mappings keep the block.
  CUmemGenericAllocationHandle give(const PhysicalBlockPtr& block);
  /// Throws CallError(CUDA_ERROR_INVALID_VALUE).
  PhysicalBlockPtr find(CUmemGenericAllocationHandle handle) const;
  /// The same.
  void release(CUmemGenericAllocationHandle handle);

 private:
  struct Given {
    PhysicalBlockPtr block;
    unsigned count = 0;
  };
  mutable std::mutex mutex_;
  std::map<CUmemGenericAllocationHandle, Given> given_;
};

}  // namespace kiln::emulator
