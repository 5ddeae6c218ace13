#include "emulator/machine/host_bytes.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/machine/memory_checks.hpp"

namespace kiln::emulator {

void report_access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
                   Access access, bool is_counted) {
  Block& block = warp.block();
  if (space == ptx::Space::shared && names_a_rank(address)) {
    Block& owner = *block.peer(rank_named(address));
    address &= shared_offset_mask;
    if (&owner != &block) {
      if (MemoryChecks* const checks = owner.checks()) checks->remote_access(warp, step, lane, address, size, access);
      if (BlockProfile* const profile = block.profile(); profile != nullptr && !is_counted)
        profile->lane_access(warp, step, lane, space, address, size, access);
      return;
    }
  }
  if (MemoryChecks* const checks = block.checks()) checks->access(warp, step, lane, space, address, size, access);
  if (BlockProfile* const profile = block.profile(); profile != nullptr && !is_counted)
    profile->lane_access(warp, step, lane, space, address, size, access);
}

}  // namespace kiln::emulator
