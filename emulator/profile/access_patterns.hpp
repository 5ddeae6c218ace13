// What an access of a warp costs by its addresses alone, as NVIDIA's hardware groups them.
#pragma once

#include "emulator/machine/lanes.hpp"

#include <cstdint>
#include <vector>

namespace kiln::emulator {

/// Bytes of global memory that move together.
constexpr unsigned sector_size = 32;

/// `at` are the addresses of 32 lanes, of which those in `lanes` count (at least one). Each is a multiple of `size`, a
/// power of two up to 32.
struct AccessPattern {
  const std::uint64_t* at = nullptr;
  LaneMask lanes = 0;
  unsigned size = 0;
};

struct SectorCounts {
  std::uint32_t sectors = 0;
  std::uint32_t ideal = 0;  // if the lanes' bytes were side by side, at most `sectors`
  std::uint32_t bytes = 0;  // distinct ones
};
/// Global memory: sectors of 32 bytes.
SectorCounts global_sectors(const AccessPattern& pattern);
/// Of atomic operations: lanes with the same address go one after the other, and each time the sector counts again.
SectorCounts atomic_sectors(const AccessPattern& pattern);
/// Local memory: `at` are offsets in the memory of each lane. The hardware interleaves the lanes' memories by words of
/// 4 bytes.
SectorCounts local_sectors(const AccessPattern& pattern);

/// Distinct addresses, and the most lanes that have the same.
struct AddressCounts {
  std::uint32_t distinct = 0, most_lanes = 0;
};
AddressCounts distinct_addresses(const AccessPattern& pattern);

struct WavefrontCounts {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;  // without conflicts
};
/// Shared memory: 32 banks of 4 bytes. A pass serves lanes that want different banks, or the same word of one. Lanes
/// with 8 bytes pass by half warps, with 16 bytes by quarters; two of these become one where each lane has the same
/// address as its neighbour (lane ^ 1, or lane ^ 2 for all lanes), or that one is not active. One object for each
/// block: it keeps a number for each word.
class SharedBanks {
 public:
  explicit SharedBanks(std::uint64_t shared_size) : seen_(shared_size / word_size + 1) {}

  WavefrontCounts wavefronts(const AccessPattern& pattern);
  /// Of atomic operations: lanes with the same word also wait for each other.
  WavefrontCounts atomic_wavefronts(const AccessPattern& pattern);

 private:
  static constexpr unsigned word_size = 4, bank_count = 32;

  std::uint32_t passes(const AccessPattern& pattern, LaneMask lanes);

  std::vector<std::uint32_t> seen_;  // by word: the pass that last touched it
  std::uint32_t pass_ = 0;
};

}  // namespace kiln::emulator
