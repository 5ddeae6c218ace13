#include "emulator/memory/virtual_memory.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/core/handle_table.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/memory/allocation_table.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t granularity = VirtualMemory::granularity;

// Made with AddressSpace.
VirtualMemory* only = nullptr;

std::string bytes_at(std::uint64_t size, std::uint64_t address) {
  return std::to_string(size) + " bytes at " + address_text(address);
}

Allocation reserved_range(std::uint64_t base, std::uint64_t size) {
  return {base, size, Allocation::Kind::device, 0, false, "the reserved range"};
}

[[noreturn]] void refuse(const std::string& text) { throw CallError(CUDA_ERROR_INVALID_VALUE, text); }

void require_granular(std::uint64_t value, const char* what) {
  if (value % granularity != 0)
    refuse(std::string(what) + " of " + std::to_string(value) + " is no multiple of the granularity, " +
           std::to_string(granularity));
}

// The mappings that make up the whole range, and no other bytes.
template <class Mappings>
auto whole_mappings(Mappings& mappings, std::uint64_t address, std::uint64_t size) {
  std::vector<decltype(mappings.begin())> found;
  std::uint64_t next = address;
  for (auto at = mappings.find(address); at != mappings.end() && at->first == next && next - address < size; ++at) {
    found.push_back(at);
    next += at->second.size;
  }
  if (size == 0 || next - address != size)
    refuse("the " + bytes_at(size, address) + " are not one or more whole mappings");
  return found;
}

}  // namespace

Rights Mapping::largest_rights() const {
  Rights largest = Rights::none;
  for (const auto& [device, allowed] : rights) largest = std::max(largest, allowed);
  return largest;
}

Allocation Mapping::allocation() const {
  return {base, size, Allocation::Kind::device, block->device, false, "the mapping"};
}

VirtualMemory::VirtualMemory(AllocationTable& table, const Reservation& range, PageDirectory& directory)
    : table_(table), all_(range), directory_(directory) {
  only = this;
}

VirtualMemory& VirtualMemory::get() {
  (void)AddressSpace::get();
  return *only;
}

PhysicalBlockPtr VirtualMemory::create(std::uint64_t size, int device, unsigned handle_types) {
  if (size == 0) refuse("a size of 0");
  require_granular(size, "a size");
  auto block = std::make_unique<PhysicalBlock>();
  block->id = new_handle_number();
  block->size = size;
  block->device = device;
  block->handle_types = handle_types;
  block->follows_writes = Settings::get().check_init;
  {
    const std::lock_guard lock(table_.mutex);
    std::uint64_t& used = table_.used[device];
    if (size > table_.total || used > table_.total - size) return nullptr;
    const auto offset = physical_.allocate(size, block->follows_writes);
    if (!offset) return nullptr;
    block->offset = *offset;
    used += size;
  }
  return {block.release(), [this](const PhysicalBlock* done) {
            give_back(*done);
            delete done;
          }};
}

void VirtualMemory::give_back(const PhysicalBlock& block) {
  const std::lock_guard lock(table_.mutex);
  table_.used[block.device] -= block.size;
  physical_.release(block.offset, block.size);
}

std::uint64_t VirtualMemory::reserve(std::uint64_t size, std::uint64_t alignment, std::uint64_t wanted) {
  constexpr std::uint64_t page = PageDirectory::page_size;
  if (size == 0 || size % page != 0) refuse("a size of " + std::to_string(size) + " is no multiple of a page's");
  if (wanted % page != 0) refuse("the wanted address is no multiple of a page's size");
  if (alignment != 0 && !std::has_single_bit(alignment)) refuse("the alignment is no power of two");
  const std::lock_guard lock(table_.mutex);
  const std::uint64_t begin = all_.begin(), end = begin + all_.size();
  if (size > all_.size()) return 0;
  alignment = std::max(alignment, granularity);
  const bool fits = wanted % alignment == 0 && wanted >= begin && wanted <= end - size;
  std::uint64_t base = fits && table_.may_reserve(wanted, size) ? wanted : 0;
  // Allocations begin at the other end: most ranges can be continued later, which programs ask for.
  if (base == 0) base = table_.room(cursor_ == 0 ? begin + all_.size() / 2 : cursor_, end, size, alignment);
  if (base == 0) base = table_.room(begin, end, size, alignment);
  if (base == 0) return 0;
  cursor_ = base + size;
  table_.reserved.emplace(base, size);
  return base;
}

void VirtualMemory::unreserve(std::uint64_t base, std::uint64_t size) {
  const std::lock_guard lock(table_.mutex);
  const auto found = table_.reserved.find(base);
  if (found == table_.reserved.end() || found->second != size)
    refuse("the " + bytes_at(size, base) + " are no range of cuMemAddressReserve");
  const auto mapped = mappings_.lower_bound(base);
  if (mapped != mappings_.end() && mapped->first < base + size)
    refuse("the reserved range of " + bytes_at(size, base) + " still has a mapping of " +
           bytes_at(mapped->second.size, mapped->first));
  table_.reserved.erase(found);
  table_.remember_freed(reserved_range(base, size));
}

bool VirtualMemory::show(const Mapping& mapping) {
  const PhysicalBlock& block = *mapping.block;
  if (!physical_.bytes.show(mapping.base, block.offset, mapping.size)) return false;
  return !block.follows_writes ||
         table_.written.share(all_, mapping.base, mapping.size, physical_.unwritten, block.offset);
}

void VirtualMemory::map(std::uint64_t address, std::uint64_t size, const PhysicalBlockPtr& block) {
  require_granular(address, "an address");
  require_granular(size, "a size");
  if (size == 0 || size > block->size)
    refuse("a size of " + std::to_string(size) + " where the memory has " + std::to_string(block->size));
  const std::lock_guard lock(table_.mutex);
  const std::optional<Allocation> range = range_at(address);
  if (!range || size > range->base + range->size - address)
    refuse("the " + bytes_at(size, address) + " are not in one reserved range");
  const auto next = mappings_.lower_bound(address);
  if (mapping_at(address) != nullptr || (next != mappings_.end() && next->first - address < size))
    refuse("something is mapped already into the " + bytes_at(size, address));
  const auto made = mappings_.emplace(address, Mapping{address, size, block, {}}).first;
  if (show(made->second)) return;
  mappings_.erase(made);
  (void)SharedPages::hide(address, size);
  throw CallError(CUDA_ERROR_OUT_OF_MEMORY, "the host allows no further mapping");
}

void VirtualMemory::unmap(std::uint64_t address, std::uint64_t size) {
  std::vector<Mapping> done;  // goes last: a block that goes with it takes the lock
  const std::lock_guard lock(table_.mutex);
  for (const auto at : whole_mappings(mappings_, address, size)) {
    const Mapping& mapping = at->second;
    directory_.clear(mapping.base, mapping.size);
    if (!SharedPages::hide(mapping.base, mapping.size))
      throw CallError(CUDA_ERROR_OUT_OF_MEMORY, "the host allows no further mapping");
    if (mapping.block->follows_writes) table_.written.unshare(mapping.base, mapping.size);
    done.push_back(std::move(at->second));
    mappings_.erase(at);
  }
}

void VirtualMemory::set_rights(std::uint64_t address, std::uint64_t size, const RightsByDevice& rights) {
  const std::lock_guard lock(table_.mutex);
  for (const auto at : whole_mappings(mappings_, address, size)) {
    Mapping& mapping = at->second;
    for (const auto& [device, allowed] : rights) mapping.rights[device] = allowed;
    const Rights largest = mapping.largest_rights();
    if (largest == Rights::none)
      directory_.clear(mapping.base, mapping.size);
    else
      directory_.set_valid(mapping.base, mapping.size, largest == Rights::read);
  }
}

const Mapping* VirtualMemory::mapping_at(std::uint64_t address) const {
  const auto next = mappings_.upper_bound(address);
  if (next == mappings_.begin()) return nullptr;
  const Mapping& before = std::prev(next)->second;
  return address - before.base < before.size ? &before : nullptr;
}

std::optional<Allocation> VirtualMemory::range_at(std::uint64_t address) const {
  const auto next = table_.reserved.upper_bound(address);
  if (next == table_.reserved.begin()) return std::nullopt;
  const auto [base, size] = *std::prev(next);
  return address - base < size ? std::optional(reserved_range(base, size)) : std::nullopt;
}

std::optional<Mapping> VirtualMemory::mapping(std::uint64_t address) const {
  const std::lock_guard lock(table_.mutex);
  const Mapping* const found = mapping_at(address);
  return found == nullptr ? std::nullopt : std::optional<Mapping>(*found);
}

std::optional<Allocation> VirtualMemory::range(std::uint64_t address) const {
  const std::lock_guard lock(table_.mutex);
  return range_at(address);
}

std::string VirtualMemory::why_refused(std::uint64_t address, bool write) const {
  const std::lock_guard lock(table_.mutex);
  const Mapping* const found = mapping_at(address);
  if (found == nullptr) return range_at(address) ? "reserved, but nothing is mapped there" : "";
  const Rights rights = found->largest_rights();
  if (rights == Rights::none) return "mapped, but cuMemSetAccess has not allowed any access";
  return write && rights == Rights::read ? "mapped, but cuMemSetAccess has allowed only reads" : "";
}

std::optional<std::uint64_t> VirtualMemory::first_read_only(std::uint64_t address, std::uint64_t size) const {
  const std::lock_guard lock(table_.mutex);
  for (std::uint64_t at = address; at < address + size;) {
    const Mapping* const found = mapping_at(at);
    if (found == nullptr) break;
    if (found->largest_rights() == Rights::read) return at;
    at = found->base + found->size;
  }
  return std::nullopt;
}

std::optional<Allocation> VirtualMemory::accessible_run(std::uint64_t address) const {
  const Mapping* const middle = mapping_at(address);
  if (middle == nullptr || middle->largest_rights() == Rights::none) return std::nullopt;
  Allocation run = middle->allocation();
  run.name.clear();
  const auto here = mappings_.find(middle->base);
  for (auto next = std::next(here); next != mappings_.end() && next->first == run.base + run.size; ++next) {
    if (next->second.largest_rights() == Rights::none) break;
    run.size += next->second.size;
  }
  for (auto at = here; at != mappings_.begin();) {
    --at;
    if (at->first + at->second.size != run.base || at->second.largest_rights() == Rights::none) break;
    run.base = at->first;
    run.size += at->second.size;
  }
  return run;
}

std::optional<Allocation> VirtualMemory::nearest(std::uint64_t address) const {
  if (const Mapping* const mapping = mapping_at(address)) return mapping->allocation();
  const auto next = table_.reserved.upper_bound(address);
  const bool has_next = next != table_.reserved.end();
  if (next == table_.reserved.begin())
    return has_next ? std::optional(reserved_range(next->first, next->second)) : std::nullopt;
  const auto [base, size] = *std::prev(next);
  const bool next_is_nearer = has_next && address >= base + size && next->first - address <= address - base - size;
  return next_is_nearer ? reserved_range(next->first, next->second) : reserved_range(base, size);
}

}  // namespace kiln::emulator
