#include "emulator/memory/address_space.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/memory/allocation_table.hpp"
#include "emulator/memory/virtual_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <new>

namespace kiln::emulator {

namespace {

/// Bytes that this process may use: the memory of the machine, or the limit of its control group.
std::uint64_t host_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  std::uint64_t bytes = std::uint64_t{1} << 30;
  if (pages > 0 && page_bytes > 0) bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream limit(file);
    if (std::uint64_t value = 0; limit >> value && value != 0) bytes = std::min(bytes, value);  // "max" is no number
  }
  return bytes;
}

using AllocationKind = Allocation::Kind;

// Memory whose every write by the host goes through the emulator, and is seen.
bool follows_writes(AllocationKind kind) { return kind == AllocationKind::device || kind == AllocationKind::heap; }

std::uint64_t distance(const Allocation& allocation, std::uint64_t address) {
  if (address < allocation.base) return allocation.base - address;
  return address - allocation.base < allocation.size ? 0 : address - allocation.base - allocation.size + 1;
}

}  // namespace

struct AddressSpace::Contents : AllocationTable {
  Contents(const Reservation& range, PageDirectory& directory) : virtual_memory(*this, range, directory) {}
  VirtualMemory virtual_memory;
};

AddressSpace& AddressSpace::get() {
  static AddressSpace& space = *new AddressSpace;  // never destroyed: streams may still run when the process exits
  return space;
}

AddressSpace::AddressSpace() : contents_(std::make_unique<Contents>(range_, directory_)) {
  contents_->total = aligned(host_memory_bytes() / 2, PageDirectory::page_size);
  // Eight times the memory of a device, or as much as the process may have.
  for (std::uint64_t size = aligned(contents_->total * 8, std::uint64_t{1} << 30);; size /= 2) {
    if (size < std::uint64_t{64} << 20) throw std::bad_alloc();
    if (range_.reserve(size, false)) break;
  }
  if (!directory_.cover(range_.begin(), range_.size())) throw std::bad_alloc();
  contents_->cursor = range_.begin();
}

std::uint64_t AddressSpace::allocate(std::uint64_t size, AllocationKind kind, int device, const std::string& name,
                                     std::uint64_t alignment) {
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  Contents& contents = *contents_;
  Allocation made{0, size, kind, device, false, name};
  std::uint64_t& used = contents.counter(made);
  if (size == 0 || size > contents.total || used > contents.total - size) return 0;
  alignment = std::max(alignment, PageDirectory::page_size);
  const std::uint64_t end = range_.begin() + range_.size();
  made.base = contents.room(contents.cursor, end, size, alignment);
  if (made.base == 0) made.base = contents.room(range_.begin(), end, size, alignment);
  if (made.base == 0 || !range_.make_usable(made.base + size)) return 0;
  if (follows_writes(kind) && Settings::get().check_init && !contents.written.forget(range_, made.base, size)) return 0;
  contents.cursor = made.base + size;
  contents.live.emplace(made.base, made);
  used += size;
  directory_.set_valid(made.base, size, kind == AllocationKind::constant);
  return made.base;
}

std::uint64_t AddressSpace::allocate_packed(std::uint64_t size, int device) {
  const std::uint64_t base = allocate(size, AllocationKind::heap, device);
  if (base != 0) directory_.set_packed(base, size);
  return base;
}

void AddressSpace::set_block(std::uint64_t address, std::uint64_t size, bool valid) {
  if (valid && Settings::get().check_init) {
    const std::lock_guard<std::mutex> lock(contents_->mutex);
    contents_->written.forget(range_, address, size);
  }
  directory_.set_block(address, size, valid);
}

bool AddressSpace::release(std::uint64_t base) {
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  Contents& contents = *contents_;
  const auto found = contents.live.find(base);
  if (found == contents.live.end() || found->second.kind == AllocationKind::registered) return false;
  Allocation allocation = std::move(found->second);
  contents.live.erase(found);
  contents.counter(allocation) -= allocation.size;
  directory_.clear(base, allocation.size);
  contents.written.mark(base, allocation.size);
  range_.give_back(base, aligned(allocation.size, PageDirectory::page_size));
  contents.remember_freed(std::move(allocation));
  return true;
}

bool AddressSpace::add_registered(const void* pointer, std::uint64_t size, int device) {
  const auto base = reinterpret_cast<std::uint64_t>(pointer);
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  Contents& contents = *contents_;
  if (base == 0 || size == 0 || base + size < base) return false;
  if (base < range_.begin() + range_.size() && base + size > range_.begin()) return false;
  const auto next = contents.live.lower_bound(base);
  if (next != contents.live.end() && next->first < base + size) return false;
  if (contents.holding(base) != nullptr) return false;
  contents.live.emplace(base, Allocation{base, size, AllocationKind::registered, device, false, {}});
  registered_.add(base, size);
  return true;
}

bool AddressSpace::remove_registered(const void* pointer) {
  const auto base = reinterpret_cast<std::uint64_t>(pointer);
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  const auto found = contents_->live.find(base);
  if (found == contents_->live.end() || found->second.kind != AllocationKind::registered) return false;
  contents_->live.erase(found);
  registered_.remove(base);
  return true;
}

std::optional<Allocation> AddressSpace::find(std::uint64_t address) const {
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  const Allocation* const found = contents_->holding(address);
  return found == nullptr ? contents_->virtual_memory.accessible_run(address) : std::optional<Allocation>(*found);
}

std::optional<Allocation> AddressSpace::nearest(std::uint64_t address) const {
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  const std::optional<Allocation> range = contents_->virtual_memory.nearest(address);
  const Allocation* best = range ? &*range : nullptr;
  const auto consider = [&](const Allocation& allocation) {
    if (best == nullptr || distance(allocation, address) < distance(*best, address)) best = &allocation;
  };
  const auto next = contents_->live.upper_bound(address);
  if (next != contents_->live.end()) consider(next->second);
  if (next != contents_->live.begin()) consider(std::prev(next)->second);
  // The latest first: it hides what was there before.
  for (auto freed = contents_->freed.rbegin(); freed != contents_->freed.rend(); ++freed) consider(*freed);
  return best == nullptr ? std::nullopt : std::optional<Allocation>(*best);
}

std::uint64_t AddressSpace::used(int device) const {
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  const auto found = contents_->used.find(device);
  return found == contents_->used.end() ? 0 : found->second;
}

std::uint64_t AddressSpace::total() const { return contents_->total; }

void AddressSpace::mark_written(std::uint64_t address, std::uint64_t size) noexcept {
  contents_->written.mark(address, size);
}

bool AddressSpace::written(std::uint64_t address, std::uint64_t size) const noexcept {
  return contents_->written.written(address, size);
}

bool AddressSpace::follow_writes(std::uint64_t address, std::uint64_t size) {
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  const auto after = contents_->live.upper_bound(address);
  if (after == contents_->live.begin()) return false;
  const Allocation& allocation = std::prev(after)->second;
  if (allocation.kind != AllocationKind::device || address - allocation.base > allocation.size ||
      size > allocation.size - (address - allocation.base) || !contents_->written.forget(range_, address, size))
    return false;
  is_following_.store(true, std::memory_order_relaxed);
  return true;
}

}  // namespace kiln::emulator
