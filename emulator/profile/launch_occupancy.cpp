#include "emulator/profile/launch_occupancy.hpp"

namespace kiln::emulator {
namespace {

// A block that fills the multiprocessor is not limited by its warps.
const char* limiting(const LaunchOccupancy& occupancy) {
  if (occupancy.warps == occupancy.most_warps) return nullptr;
  const BlockLimits& limits = occupancy.limits;
  if (limits.registers == occupancy.blocks) return "registers";
  if (limits.shared == occupancy.blocks) return "shared";
  return limits.warps == occupancy.blocks ? "warps" : "blocks";
}

}  // namespace

std::optional<LaunchOccupancy> occupancy_of(const ProfileStore& store, const LaunchEntry& entry) {
  const auto& kernels = store.programs().at(entry.program).resources.kernels;
  const auto kernel = kernels.find(entry.kernel);
  if (kernel == kernels.end()) return std::nullopt;
  LaunchOccupancy occupancy;
  occupancy.resources = kernel->second;
  const BlockNeeds needs{static_cast<std::uint32_t>(entry.block.count()), kernel->second.registers,
                         std::uint64_t{entry.static_shared} + entry.dynamic_shared};
  occupancy.limits = block_limits(needs);
  occupancy.blocks = occupancy.limits.least();
  occupancy.warps = occupancy.blocks * warps_of(needs);
  occupancy.most_warps = warps_per_multiprocessor();
  occupancy.limited_by = limiting(occupancy);
  return occupancy;
}

}  // namespace kiln::emulator
