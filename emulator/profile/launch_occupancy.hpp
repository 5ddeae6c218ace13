// The theoretical occupancy of a launch: the warps that a multiprocessor holds at once, of those that it could hold.
#pragma once

#include "emulator/core/occupancy.hpp"
#include "emulator/profile/profile_store.hpp"

#include <cstdint>
#include <optional>

namespace kiln::emulator {

struct LaunchOccupancy {
  KernelResources resources;
  BlockLimits limits;
  std::uint32_t blocks = 0, warps = 0, most_warps = 0;  // of a multiprocessor
  const char* limited_by = nullptr;                     // a key of the report's "limits"; null if nothing limits it
};

/// Nothing where the kernel's registers are not known.
std::optional<LaunchOccupancy> occupancy_of(const ProfileStore& store, const LaunchEntry& entry);

}  // namespace kiln::emulator
