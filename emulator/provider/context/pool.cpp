#include "emulator/provider/context/pool.hpp"

#include "emulator/core/call_error.hpp"

#include <map>
#include <mutex>
#include <unordered_map>

namespace kiln::emulator {
namespace {

struct PoolMemory {
  std::uint64_t size = 0;
  CUmemoryPool handle = nullptr;
  std::shared_ptr<PoolState> pool;  // lives as long as its memory
};

struct PoolTable {
  std::mutex mutex;
  std::map<int, CUmemoryPool> defaults, current;  // by device
  std::unordered_map<std::uint64_t, PoolMemory> memory;
};
PoolTable& pool_table() {
  static PoolTable& table = *new PoolTable;
  return table;
}

void raise_to(std::atomic<std::uint64_t>& high, std::uint64_t value) {
  std::uint64_t known = high.load();
  while (known < value && !high.compare_exchange_weak(known, value)) {
  }
}

}  // namespace

std::shared_ptr<PoolState> pool_of(CUmemoryPool handle) {
  std::shared_ptr<PoolState> pool = Pools::get().find(handle);
  if (pool == nullptr) throw CallError(CUDA_ERROR_INVALID_VALUE, "this is no memory pool, or one that was destroyed");
  return pool;
}

CUmemoryPool default_pool(int device) {
  const std::lock_guard lock(pool_table().mutex);
  CUmemoryPool& handle = pool_table().defaults[device];
  if (handle == nullptr) {
    auto made = std::make_shared<PoolState>(device);
    made->is_default = true;
    handle = Pools::get().add(std::move(made));
  }
  return handle;
}

CUmemoryPool current_pool(int device) {
  {
    const std::lock_guard lock(pool_table().mutex);
    const auto found = pool_table().current.find(device);
    if (found != pool_table().current.end() && Pools::get().find(found->second) != nullptr) return found->second;
  }
  return default_pool(device);
}

void set_current_pool(int device, CUmemoryPool pool) {
  const std::lock_guard lock(pool_table().mutex);
  pool_table().current[device] = pool;
}

void note_pool_memory(std::uint64_t base, std::uint64_t size, CUmemoryPool handle) {
  const std::shared_ptr<PoolState> pool = pool_of(handle);
  const std::lock_guard lock(pool_table().mutex);
  const std::uint64_t used = pool->used += size;
  raise_to(pool->used_high, used);
  raise_to(pool->reserved_high, used);
  pool_table().memory[base] = {size, handle, pool};
}

void forget_pool_memory(std::uint64_t base) {
  const std::lock_guard lock(pool_table().mutex);
  const auto found = pool_table().memory.find(base);
  if (found == pool_table().memory.end()) return;
  found->second.pool->used -= found->second.size;
  pool_table().memory.erase(found);
}

CUmemoryPool pool_of_memory(std::uint64_t base) {
  const std::lock_guard lock(pool_table().mutex);
  const auto found = pool_table().memory.find(base);
  return found == pool_table().memory.end() ? nullptr : found->second.handle;
}

}  // namespace kiln::emulator
