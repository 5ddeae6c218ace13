#include "emulator/instructions/bulk/bulk_access.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/memory/relaxed_copy.hpp"

#include <algorithm>
#include <bit>

namespace kiln::emulator {
namespace {

using ptx::Space;

// The most bytes that one access at this address may have.
unsigned piece_at(std::uint64_t address, std::uint64_t left) {
  const std::uint64_t aligned = address == 0 ? 16 : address & (0 - address);
  return static_cast<unsigned>(std::min<std::uint64_t>({16, aligned, std::bit_floor(left)}));
}

}  // namespace

// All of the bytes, if they may be accessed and nobody wants to know; else null.
std::byte* BulkAccess::whole(Space space, std::uint64_t address, std::uint64_t size, Access access) {
  Block& block = warp_.block();
  if (block.watches_accesses() || size > AddressSpace::largest_range) return nullptr;
  if (space == Space::shared) {
    const std::uint64_t limit = block.shared_size();
    return address < limit && size <= limit - address ? block.shared() + address : nullptr;
  }
  if (space != Space::global) return nullptr;
  const AddressSpace& memory = AddressSpace::get();
  const bool allowed = only_reads(access) ? memory.readable(address, size) : memory.writable(address, size);
  return allowed ? reinterpret_cast<std::byte*>(address) : nullptr;
}

template <class Use>
void BulkAccess::pieces(Space space, std::uint64_t address, std::uint64_t size, Access access, Use use) {
  if (size == 0) return;
  if (std::byte* const all = whole(space, address, size, access)) return use(all, std::uint64_t{0}, size);
  for (std::uint64_t done = 0; done < size;) {
    const unsigned piece = piece_at(address + done, size - done);
    use(host_bytes(warp_, step_, lane_, space, address + done, piece, access), done, std::uint64_t{piece});
    done += piece;
  }
}

void BulkAccess::read(Space space, std::uint64_t address, std::byte* to, std::uint64_t size) {
  pieces(space, address, size, Access::read,
         [=](const std::byte* at, std::uint64_t done, std::uint64_t count) { relaxed_copy(to + done, at, count); });
}

void BulkAccess::write(Space space, std::uint64_t address, const std::byte* from, std::uint64_t size) {
  pieces(space, address, size, Access::write,
         [=](std::byte* at, std::uint64_t done, std::uint64_t count) { relaxed_copy(at, from + done, count); });
}

void BulkAccess::update(Space space, std::uint64_t address, const std::byte* values, std::uint64_t size,
                        const AtomicRow& operation) {
  std::byte* const all = whole(space, address, size, Access::read_write);
  for (std::uint64_t done = 0; done < size; done += operation.size) {
    std::byte* const at =
        all != nullptr ? all + done
                       : host_bytes(warp_, step_, lane_, space, address + done, operation.size, Access::read_write);
    operation.update(at, values + done, space == Space::shared);
  }
}

std::uint64_t BulkAccess::in_block(std::uint64_t address, unsigned rank) {
  if (warp_.block().peer(rank) == nullptr)
    stop(CUDA_ERROR_ILLEGAL_ADDRESS, "the mask of a multicast names block " + std::to_string(rank) +
                                         " of the cluster, which has no such block, or it has ended");
  return (address & shared_offset_mask) | (std::uint64_t{rank} + 1) << shared_rank_shift;
}

void BulkAccess::require_multiple(const char* what, std::uint64_t value, std::uint64_t of) const {
  if (value % of == 0) return;
  stop(CUDA_ERROR_MISALIGNED_ADDRESS,
       std::string(what) + " " + address_text(value) + " is no multiple of " + std::to_string(of));
}

}  // namespace kiln::emulator
