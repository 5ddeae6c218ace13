// How many blocks of a kernel a multiprocessor holds, and what limits them. As cuda_occupancy.h computes it.
#pragma once

#include <cstdint>

namespace kiln::emulator {

/// What a block needs.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers = 0;  // of a thread; 0 if not known, which limits nothing
  std::uint64_t shared = 0;     // bytes, static and dynamic
};

/// Blocks that fit on a multiprocessor, by each of its limits alone.
struct BlockLimits {
  std::uint32_t warps = 0, blocks = 0, shared = 0, registers = 0;
  std::uint32_t least() const;
};

/// For the devices of this process, for a block of at least one thread. A limit that does not apply is that of
/// `blocks`.
BlockLimits block_limits(const BlockNeeds& needs);
std::uint32_t warps_of(const BlockNeeds& needs);
std::uint32_t warps_per_multiprocessor();

}  // namespace kiln::emulator
