// Memory that the program allocated: whose it is, and whether a range of it may be touched.
#pragma once

#include "emulator/memory/address_space.hpp"
#include "emulator/provider/context/context.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace kiln::emulator {

struct MemoryRecord {
  Context* context = nullptr;
  Allocation::Kind kind = Allocation::Kind::device;
  unsigned flags = 0;  // as cuMemHostAlloc, cuMemHostRegister and cuMemAllocManaged were given them
};

/// All of the process, by the address where they begin. Thread-safe.
class Memories {
 public:
  static Memories& get();

  /// Throws CallError(CUDA_ERROR_OUT_OF_MEMORY).
  std::uint64_t allocate(Context& context, std::size_t size, Allocation::Kind kind, unsigned flags = 0);
  void add(std::uint64_t base, const MemoryRecord& record);
  std::optional<MemoryRecord> find(std::uint64_t base) const;
  /// Known no longer; its bytes are the caller's to release.
  std::optional<MemoryRecord> take(std::uint64_t base);
  /// Releases all of a context.
  void release_all(const Context& context);

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, MemoryRecord> records_;
};

/// Gives the bytes back, by the way that its kind needs.
void release_memory(std::uint64_t base, const MemoryRecord& record);

/// The allocation that holds all of [address, address + size). Throws CallError(CUDA_ERROR_INVALID_VALUE).
Allocation range_of(std::uint64_t address, std::size_t size);
/// Whether the address is of memory that the emulator knows: its own, or registered.
bool is_known(std::uint64_t address);

}  // namespace kiln::emulator
