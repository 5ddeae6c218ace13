// Memory allocated by the program: its owner, and whether a range of it is valid.
#pragma once

#include "emulator/memory/address_space.hpp"
#include "emulator/provider/context/context.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace kiln::emulator {

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

struct MemoryRecord {
  Context* context = nullptr;
  Allocation::Kind kind = Allocation::Kind::device;
  unsigned flags = 0;  // as passed to cuMemHostAlloc, cuMemHostRegister or cuMemAllocManaged
};

/// All allocations of the process, by base address. Thread-safe.
class MemoryTable {
 public:
  static MemoryTable& get();

  /// Throws CallError(CUDA_ERROR_OUT_OF_MEMORY).
  std::uint64_t allocate(Context& context, std::size_t size, Allocation::Kind kind, unsigned flags = 0);
  void add(std::uint64_t base, const MemoryRecord& record);
  std::optional<MemoryRecord> find(std::uint64_t base) const;
  /// Removes the record. The caller has to release the memory.
  std::optional<MemoryRecord> take(std::uint64_t base);
  /// Releases all memory of a context.
  void release_all(const Context& context);

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, MemoryRecord> records_;
};

/// Releases the memory, according to its kind.
void release_memory(std::uint64_t base, const MemoryRecord& record);

/// The allocation that holds all of [address, address + size). Throws CallError(CUDA_ERROR_INVALID_VALUE).
Allocation range_of(std::uint64_t address, std::size_t size);
/// The same for a range that is to be written: mapped memory may be for reading alone.
Allocation writable_range_of(std::uint64_t address, std::size_t size);
/// Whether the address is in memory that the emulator allocated, that is registered, or in a reserved range.
bool is_known(std::uint64_t address);

}  // namespace kiln::emulator
