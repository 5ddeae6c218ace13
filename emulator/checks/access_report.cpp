// What is wrong with an access, in words.
#include "emulator/checks/access_text.hpp"
#include "emulator/core/addresses.hpp"
#include "emulator/machine/cluster.hpp"
#include "emulator/machine/host_bytes.hpp"
#include "emulator/memory/device_heap.hpp"
#include "emulator/memory/virtual_memory.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace kiln::emulator {
namespace {

using ptx::Space;

// The last parameter that begins there or before.
std::size_t last_param_at(const Kernel& kernel, std::uint64_t offset) {
  const auto behind = std::upper_bound(kernel.params.begin(), kernel.params.end(), offset,
                                       [](std::uint64_t at, const ParamPlace& each) { return at < each.offset; });
  return static_cast<std::size_t>(behind - kernel.params.begin()) - 1;
}

// The nearest allocation explains nothing if it is further away than this.
constexpr std::uint64_t near = std::uint64_t{16} << 30;
// Nor does registered memory, which lies among the host's own.
constexpr std::uint64_t near_registered = std::uint64_t{1} << 20;

const char* space_name(Space space) {
  switch (space) {
    case Space::shared:
      return "shared memory";
    case Space::local:
      return "local memory";
    case Space::param:
      return "the kernel's parameters";
    case Space::constant:
      return "constant memory";
    default:
      return "global memory";
  }
}

std::string description(const Allocation& allocation) {
  const std::string place = " of " + bytes_text(allocation.size) + " at " + address_text(allocation.base);
  switch (allocation.kind) {
    case Allocation::Kind::variable:
      return "the variable " + allocation.name + place;
    case Allocation::Kind::constant:
      return "the constant " + allocation.name + place;
    case Allocation::Kind::heap:
      return "the block" + place + " (of the kernel's malloc)";
    case Allocation::Kind::managed:
      return "the allocation" + place + " (managed memory)";
    case Allocation::Kind::host:
      return "the allocation" + place + " (pinned host memory)";
    case Allocation::Kind::registered:
      return "the registered host memory" + place;
    case Allocation::Kind::device:
      if (!allocation.name.empty()) return allocation.name + place;  // of virtual memory
      break;
  }
  return "the allocation" + place + " (device memory)";
}

// An address of another space, used in the wrong one.
std::string wrong_space(Space used, std::uint64_t address) {
  const char* const as = used == Space::generic ? "a generic one of no memory" : space_name(used);
  if (in_window(address, shared_window)) return std::string(": a generic address of shared memory, used as ") + as;
  if (shared_window - address <= window_size / 2)
    return ": a generic address " + bytes_text(shared_window - address) + " before the beginning of shared memory";
  if (in_window(address, local_window)) return std::string(": a generic address of local memory, used as ") + as;
  if (in_window(address, param_window)) return ": the address of a kernel's parameter";
  if (in_window(address, code_window)) return ": the address of a function";
  return {};
}

// As the source has it, where the pointer's elements are what is accessed.
std::string index_text(std::uint64_t offset, unsigned size) {
  const auto distance = static_cast<std::int64_t>(offset), element = static_cast<std::int64_t>(size);
  if (distance % element != 0) return {};
  return ": index " + std::to_string(distance / element) + " in elements of " + bytes_text(size);
}

std::string place_in(const Allocation& allocation, std::uint64_t address, unsigned size) {
  const std::string what = description(allocation);
  if (allocation.freed && address - allocation.base < allocation.size)
    return ", in freed memory: " + bytes_text(address - allocation.base) + " into " + what;
  const std::string freed = allocation.freed ? ", which is freed" : "";
  const std::uint64_t offset = address - allocation.base;
  if (address < allocation.base)
    return ", " + bytes_text(allocation.base - address) + " before " + what + freed + index_text(offset, size);
  if (offset >= allocation.size)
    return ", " + bytes_text(offset - allocation.size) + " past the end of " + what + freed + index_text(offset, size);
  if (allocation.size - offset < size) return ", beyond the end of " + what;
  return ", in " + what + ", which kernels only read";
}

std::optional<Allocation> nearest_allocation(std::uint64_t address) {
  const std::optional<Allocation> nearest = AddressSpace::get().nearest(address);
  return nearest && nearest->kind == Allocation::Kind::heap ? DeviceHeap::get().nearest(address) : nearest;
}

// An address in a range of cuMemAddressReserve.
std::string virtual_place(std::uint64_t address, Access access) {
  const std::string why = VirtualMemory::get().why_refused(address, !only_reads(access));
  if (why.empty()) return {};
  return ", which is " + why + allocation_text(address);
}

std::uint64_t distance_to(const Allocation& allocation, std::uint64_t address) {
  if (address < allocation.base) return allocation.base - address;
  const std::uint64_t end = allocation.base + allocation.size;
  return address < end ? 0 : address - end;
}

std::string global_place(const Warp& warp, Space space, std::uint64_t address, unsigned size, Access access) {
  if (address < 4096)
    return ": a null pointer" + (address == 0 ? std::string() : " + " + std::to_string(address)) +
           argument_text(warp, address, std::nullopt);
  if (std::string wrong = wrong_space(space, address); !wrong.empty()) return wrong;
  if (std::string place = virtual_place(address, access); !place.empty()) return place;
  const std::optional<Allocation> nearest = nearest_allocation(address);
  const std::uint64_t distance = nearest ? distance_to(*nearest, address) : 0;
  const bool is_near = nearest && distance <= (nearest->kind == Allocation::Kind::registered ? near_registered : near);
  if (is_near && (AddressSpace::get().covers(address) || nearest->kind == Allocation::Kind::registered))
    return place_in(*nearest, address, size) + argument_text(warp, address, nearest);
  if (is_mapped(address))
    return ": a pointer of the host, whose memory kernels cannot use" + argument_text(warp, address, std::nullopt);
  if (is_near) return place_in(*nearest, address, size) + argument_text(warp, address, nearest);
  return nearest ? ": no device memory is near" : ": no device memory has been allocated";
}

// For spaces whose addresses are offsets.
std::string offset_place(Space space, std::uint64_t address, std::uint64_t limit) {
  if (space != Space::generic)
    if (std::string wrong = wrong_space(space, address); !wrong.empty()) return wrong;
  const std::uint64_t offset = space == Space::generic ? address % window_size : address;
  if (limit == 0) return ": the block has no shared memory";
  if (offset >= limit) return ", " + bytes_text(offset - limit) + " past the end of its " + bytes_text(limit);
  return ", beyond the end of its " + bytes_text(limit);
}

// Inside the parameters, but not inside a single one.
std::string between_params(const Block& block, std::uint64_t offset) {
  const Kernel& kernel = *block.request().kernel;
  const std::size_t number = last_param_at(kernel, offset);
  const ParamPlace& place = kernel.params[number];
  return ", beyond the end of the parameter " + std::string(kernel.code->source->params[number].name) + ", which has " +
         bytes_text(place.size) + " at " + address_text(place.offset);
}

// An address that names a block of the cluster.
std::string cluster_place(Block& block, std::uint64_t address) {
  const std::uint32_t rank = rank_named(address % window_size);
  const std::uint64_t count = block.cluster() == nullptr ? 1 : block.cluster()->blocks().size();
  const std::string owner = ": it is of the block with rank " + std::to_string(rank);
  if (rank >= count)
    return owner + " in the cluster, which has " + std::to_string(count) + (count == 1 ? " block" : " blocks");
  const Block& named = block.cluster() == nullptr ? block : *block.cluster()->blocks()[rank];
  const std::string who = owner + ", " + named.index().text();
  if (named.has_exited())
    return who + ", which has exited, and with it its shared memory (a barrier of the cluster before the end keeps it)";
  return who + offset_place(Space::generic, address & shared_offset_mask, named.shared_size());
}

// Outside of the block's shared memory.
std::string shared_place(const Warp& warp, Space space, std::uint64_t address) {
  const std::uint64_t limit = warp.block().shared_size();
  const std::uint64_t offset = space == Space::generic ? address % window_size : address;
  if (offset >= window_size) return offset_place(space, address, limit);
  constexpr std::uint64_t negative = window_size / 2;  // of 32 bits
  if (offset < negative)
    return offset_place(space, address, limit) + shared_array_text(warp, static_cast<std::int64_t>(offset));
  return ", " + bytes_text(window_size - offset) + " before its beginning" +
         shared_array_text(warp, -static_cast<std::int64_t>(window_size - offset));
}

std::string problem(Warp& warp, Space space, Space real, std::uint64_t address, unsigned size, Access access) {
  if (real == Space::shared) {
    const std::uint64_t place = space == Space::generic ? address % window_size : address;
    const bool is_of_cluster = place < window_size && names_a_rank(place) && rank_named(place) <= largest_rank;
    if (is_of_cluster && warp.block().cluster() != nullptr) return cluster_place(warp.block(), place);
    return shared_place(warp, space, address);
  }
  if (real != Space::param) return global_place(warp, space, address, size, access);
  if (!only_reads(access)) return ", which kernels only read";
  const std::uint64_t offset = space == Space::generic ? address % window_size : address;
  const std::uint64_t all = warp.block().request().kernel->param_bytes;
  if (all != 0 && offset < all && size <= all - offset) return between_params(warp.block(), offset);
  return offset_place(space, address, all);
}

}  // namespace

bool is_mapped(std::uint64_t address) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return ::msync(reinterpret_cast<void*>(address / page * page), page, MS_ASYNC) == 0;
}

std::string bytes_text(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

bool in_one_param(const Block& block, std::uint64_t offset, unsigned size) {
  const Kernel& kernel = *block.request().kernel;
  if (offset >= kernel.param_bytes) return false;
  const ParamPlace& place = kernel.params[last_param_at(kernel, offset)];
  return offset - place.offset + size <= place.size;
}

std::string access_text(Space space, std::uint64_t address, unsigned size, Access access) {
  const char* const verb = only_reads(access) ? "reads " : reads(access) ? "updates " : "writes ";
  return verb + bytes_text(size) + " at " + address_text(address) +
         (space == Space::global ? "" : " of " + std::string(space_name(space)));
}

std::string allocation_text(std::uint64_t address) {
  const std::optional<Allocation> found = nearest_allocation(address);
  if (!found || address - found->base >= found->size) return {};
  return ", " + bytes_text(address - found->base) + " into " + description(*found);
}

std::string shared_variable_text(const Block& block, std::uint64_t offset) {
  for (const SharedVariable& each : block.request().kernel->shared_variables)
    if (offset - each.offset < each.size)
      return ", " + bytes_text(offset - each.offset) + " into the variable " + demangle(each.name) + " of " +
             bytes_text(each.size);
  const std::uint64_t dynamic = block.dynamic_shared_offset(), size = block.request().shared_bytes;
  if (offset - dynamic >= size) return {};
  return ", " + bytes_text(offset - dynamic) + " into the " + bytes_text(size) + " of dynamic shared memory";
}

void refuse_access(Warp& warp, unsigned lane, Space space, std::uint64_t address, unsigned size, Access access) {
  const Space real = space == Space::generic ? space_of(address) : space;
  const std::string what = access_text(real, address, size, access);
  if (address % size != 0)
    throw Fault(CUDA_ERROR_MISALIGNED_ADDRESS, lane, what + ", which is no multiple of " + std::to_string(size));
  throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane, what + problem(warp, space, real, address, size, access));
}

}  // namespace kiln::emulator
