// Uninitialised reads.
#pragma once

#include "emulator/machine/host_bytes.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace kiln::emulator {

/// One for each block: checks shared memory, local memory of the block's threads, and device memory. Local memory stays
/// initialised when a call returns. CUB's algorithms read shared memory ahead of what they use: such reads are not
/// reported. If it does not report, it only tracks writes to device memory.
class InitCheck {
 public:
  InitCheck(Block& block, bool reports) : reports_(reports), shared_(reports ? block.shared_size() : 0) {}
  void access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
              Access access);

 private:
  using Written = std::vector<bool>;  // by byte
  bool take(Written& memory, std::uint64_t offset, unsigned size, Access access);

  bool reports_;
  Written shared_;
  std::map<std::uint32_t, Written> local_;  // by thread
};

}  // namespace kiln::emulator
