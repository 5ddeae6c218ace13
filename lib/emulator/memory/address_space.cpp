#include "emulator/memory/address_space.hpp"

#include "emulator/core/aligned.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/memory/host_memory.hpp"
#include "emulator/memory/written_map.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <new>

namespace kiln::emulator {
namespace {

using AllocationKind = Allocation::Kind;

// Unused bytes before and behind each allocation.
constexpr std::uint64_t gap = std::uint64_t{64} << 10;
// How many freed allocations reports remember.
constexpr std::size_t remembered = 4096;

bool is_host(AllocationKind kind) { return kind == AllocationKind::host || kind == AllocationKind::registered; }

// Memory whose every write by the host goes through the emulator, and is seen.
bool follows_writes(AllocationKind kind) { return kind == AllocationKind::device || kind == AllocationKind::heap; }

std::uint64_t distance(const Allocation& allocation, std::uint64_t address) {
  if (address < allocation.base) return allocation.base - address;
  return address - allocation.base < allocation.size ? 0 : address - allocation.base - allocation.size + 1;
}

}  // namespace

struct AddressSpace::Contents {
  mutable std::mutex mutex;
  std::map<std::uint64_t, Allocation> live;  // by base
  std::deque<Allocation> freed;              // the latest last
  std::map<int, std::uint64_t> used;         // by device
  std::uint64_t host_used = 0;
  std::uint64_t total = 0;
  std::uint64_t cursor = 0;  // where the next allocation is looked for
  WrittenMap written;

  // The base of a free range at or behind `from`, or 0. The search goes on from the latest allocation, so that a freed
  // range is reused late: use after free is noticed.
  std::uint64_t room(std::uint64_t from, std::uint64_t end, std::uint64_t size, std::uint64_t alignment) const {
    std::uint64_t base = aligned(from + gap, alignment);
    for (auto next = live.lower_bound(from); next != live.end() && next->first < end; ++next) {
      if (base + size + gap <= next->first) return base;
      base = aligned(next->first + next->second.size + gap, alignment);
    }
    return base + size + gap <= end ? base : 0;
  }
  const Allocation* holding(std::uint64_t address) const {
    auto next = live.upper_bound(address);
    if (next == live.begin()) return nullptr;
    const Allocation& before = std::prev(next)->second;
    return address - before.base < before.size ? &before : nullptr;
  }
  std::uint64_t& counter(const Allocation& allocation) {
    return is_host(allocation.kind) ? host_used : used[allocation.device];
  }
};

AddressSpace& AddressSpace::get() {
  static AddressSpace& space = *new AddressSpace;  // never destroyed: streams may still run when the process exits
  return space;
}

AddressSpace::AddressSpace() : contents_(std::make_unique<Contents>()) {
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
  allocation.freed = true;
  contents.freed.push_back(std::move(allocation));
  if (contents.freed.size() > remembered) contents.freed.pop_front();
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
  return found == nullptr ? std::nullopt : std::optional<Allocation>(*found);
}

std::optional<Allocation> AddressSpace::nearest(std::uint64_t address) const {
  const std::lock_guard<std::mutex> lock(contents_->mutex);
  const Allocation* best = nullptr;
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

}  // namespace kiln::emulator
