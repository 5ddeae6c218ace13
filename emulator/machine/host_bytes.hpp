// From an address in a lane to bytes on the host, or a Fault.
#pragma once

#include "emulator/machine/block.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/memory/windows.hpp"
#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

// Rare paths of host_bytes. The first is implemented in checks/.
/// Throws a Fault that explains what is wrong with the access.
[[noreturn]] void refuse_access(Warp& warp, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
                                Access access);
/// Reports the access to the checks that are on, and to the profile unless it has counted it. `space` is not generic.
void report_access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
                   Access access, bool is_counted);

/// The space of a generic address: global unless it is in a window.
inline ptx::Space space_of(std::uint64_t generic_address) {
  if (generic_address < shared_window) return ptx::Space::global;
  if (in_window(generic_address, shared_window)) return ptx::Space::shared;
  if (in_window(generic_address, local_window)) return ptx::Space::local;
  return in_window(generic_address, param_window) ? ptx::Space::param : ptx::Space::global;
}

/// Whether the bytes, which are inside the kernel's parameters, are inside a single one.
bool in_one_param(const Block& block, std::uint64_t offset, unsigned size);

/// The host bytes of [address, address + size) in a space (generic: by windows; param: the kernel's own), for one lane.
/// `size` is a power of two, and the address must be a multiple of it. Throws Fault: CUDA_ERROR_ILLEGAL_ADDRESS (out of
/// bounds, freed, null, wrong space, read-only) or CUDA_ERROR_MISALIGNED_ADDRESS, with a text that says what is nearby.
/// Reports the access to the checks that are on, and to the profile unless it is counted already. An address of shared
/// memory may name a block of the cluster.
inline std::byte* host_bytes(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                             unsigned size, Access access, bool is_counted = false) {
  ptx::Space real = space;
  std::uint64_t place = address;
  if (space == ptx::Space::generic) {
    real = space_of(address);
    if (real != ptx::Space::global) place = address % window_size;
  }
  if ((place & (size - 1)) != 0) refuse_access(warp, lane, space, address, size, access);
  Block& block = warp.block();
  std::byte* bytes = nullptr;
  const auto within = [&](std::uint64_t limit) { return place < limit && size <= limit - place; };
  switch (real) {
    case ptx::Space::shared:
      if (within(block.shared_size()))
        bytes = block.shared() + place;
      else if (names_a_rank(place))
        bytes = block.peer_shared(place, size);
      break;
    case ptx::Space::local:
      bytes = warp.local(lane, place, size);
      break;
    case ptx::Space::param:
      if (within(block.request().params.size()) && only_reads(access) && in_one_param(block, place, size))
        bytes = const_cast<std::byte*>(block.params()) + place;
      break;
    default: {
      const AddressSpace& memory = AddressSpace::get();
      if (only_reads(access) ? memory.readable(place, size) : memory.writable(place, size))
        bytes = reinterpret_cast<std::byte*>(place);
    }
  }
  if (bytes == nullptr) [[unlikely]]
    refuse_access(warp, lane, space, address, size, access);
  if (block.watches_accesses()) [[unlikely]]
    report_access(warp, step, lane, real, place, size, access, is_counted);
  return bytes;
}

}  // namespace kiln::emulator
