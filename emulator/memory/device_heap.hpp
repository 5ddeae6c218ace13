// The heap of malloc in kernels.
#pragma once

#include "emulator/memory/address_space.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace kiln::emulator {

/// Blocks are packed, with an inaccessible granule between them. A freed block is reused late. Thread-safe.
class DeviceHeap {
 public:
  static DeviceHeap& get();

  /// Sets CU_LIMIT_MALLOC_HEAP_SIZE. False once a kernel has used the heap.
  bool set_limit(std::uint64_t bytes);
  std::uint64_t limit() const;

  /// Allocates, aligned to at least 16 bytes. 0 if the heap is used up or the alignment is not a power of two.
  std::uint64_t allocate(std::uint64_t size, std::uint64_t alignment = 16);
  /// False if no block begins there, or it has been freed.
  bool release(std::uint64_t address);
  /// The block nearest to an address, live or freed.
  std::optional<Allocation> nearest(std::uint64_t address) const;

 private:
  struct Block {
    std::uint64_t size;  // as requested
    bool freed;
  };
  std::uint64_t room_for(std::uint64_t size, std::uint64_t alignment, std::uint64_t from) const;

  mutable std::mutex mutex_;
  std::uint64_t limit_ = std::uint64_t{8} << 20;
  std::uint64_t base_ = 0, size_ = 0, used_ = 0, cursor_ = 0;
  std::map<std::uint64_t, Block> blocks_;
};

}  // namespace kiln::emulator
