#include "emulator/provider/context/memory.hpp"

#include "emulator/memory/virtual_memory.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/pool.hpp"

#include <string>

namespace kiln::emulator {

MemoryTable& MemoryTable::get() {
  static MemoryTable& all = *new MemoryTable;
  return all;
}

std::uint64_t MemoryTable::allocate(Context& context, std::size_t size, Allocation::Kind kind, unsigned flags) {
  require(size != 0);
  const std::uint64_t base = AddressSpace::get().allocate(size, kind, context.device());
  if (base == 0) throw CallError(CUDA_ERROR_OUT_OF_MEMORY, "");
  add(base, {&context, kind, flags});
  return base;
}

void MemoryTable::add(std::uint64_t base, const MemoryRecord& record) {
  const std::lock_guard lock(mutex_);
  records_[base] = record;
}

std::optional<MemoryRecord> MemoryTable::find(std::uint64_t base) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(base);
  return found == records_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<MemoryRecord> MemoryTable::take(std::uint64_t base) {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(base);
  if (found == records_.end()) return std::nullopt;
  const MemoryRecord record = found->second;
  records_.erase(found);
  return record;
}

void MemoryTable::release_all(const Context& context) {
  const std::lock_guard lock(mutex_);
  for (auto at = records_.begin(); at != records_.end();) {
    if (at->second.context != &context) {
      ++at;
      continue;
    }
    release_memory(at->first, at->second);
    at = records_.erase(at);
  }
}

void release_memory(std::uint64_t base, const MemoryRecord& record) {
  if (record.kind == Allocation::Kind::device) forget_pool_memory(base);
  if (record.kind == Allocation::Kind::registered)
    (void)AddressSpace::get().remove_registered(reinterpret_cast<const void*>(base));
  else
    (void)AddressSpace::get().release(base);
}

// What is wrong with an address in a reserved range.
static std::string place_text(std::uint64_t address, bool write) {
  const std::string why = VirtualMemory::get().why_refused(address, write);
  return why.empty() ? why : "the memory at " + std::to_string(address) + " is " + why;
}

Allocation range_of(std::uint64_t address, std::size_t size) {
  const std::optional<Allocation> found = AddressSpace::get().find(address);
  if (!found) throw CallError(CUDA_ERROR_INVALID_VALUE, place_text(address, false));
  const std::uint64_t behind = found->base + found->size - address;
  if (size > behind)
    throw CallError(CUDA_ERROR_INVALID_VALUE, std::to_string(size) + " bytes are asked for where the allocation of " +
                                                  std::to_string(found->size) + " bytes has " + std::to_string(behind) +
                                                  " left");
  return *found;
}

Allocation writable_range_of(std::uint64_t address, std::size_t size) {
  Allocation range = range_of(address, size);
  if (const auto at = VirtualMemory::get().first_read_only(address, size))
    throw CallError(CUDA_ERROR_INVALID_VALUE, place_text(*at, true));
  return range;
}

bool is_known(std::uint64_t address) {
  return AddressSpace::get().find(address) || VirtualMemory::get().range(address);
}

}  // namespace kiln::emulator
