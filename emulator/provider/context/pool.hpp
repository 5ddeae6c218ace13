// Pools of stream-ordered memory. They hold nothing back: what is freed is free, so reserved memory is what is used.
#pragma once

#include "emulator/core/handle_table.hpp"

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <memory>

namespace kiln::emulator {

struct PoolState {
  explicit PoolState(int of) : device(of) {}

  const int device;
  bool is_default = false;
  std::atomic<std::uint64_t> used{0}, used_high{0}, reserved_high{0};  // bytes
  // Stored, without effect.
  std::atomic<std::uint64_t> release_threshold{0};
  std::atomic<int> reuse_event_dependencies{1}, reuse_opportunistic{1}, reuse_internal_dependencies{1};
};
using Pools = HandleTable<CUmemoryPool, PoolState>;

/// Throws CallError(CUDA_ERROR_INVALID_VALUE).
std::shared_ptr<PoolState> pool_of(CUmemoryPool handle);
CUmemoryPool default_pool(int device);
/// The pool that cuMemAllocAsync takes memory from.
CUmemoryPool current_pool(int device);
void set_current_pool(int device, CUmemoryPool pool);

/// An allocation from a pool, until it is released.
void note_pool_memory(std::uint64_t base, std::uint64_t size, CUmemoryPool pool);
void forget_pool_memory(std::uint64_t base);
/// The pool of an allocation; null if it is from none.
CUmemoryPool pool_of_memory(std::uint64_t base);

}  // namespace kiln::emulator
