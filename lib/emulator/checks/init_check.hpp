// Reads of memory that nothing has written.
#pragma once

#include "emulator/machine/host_bytes.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace kiln::emulator {

/// Of a block: its shared memory, its threads' local memory, and device memory. A thread's local memory that a call
/// left is not forgotten. CUB's algorithms read ahead of what they then use, in shared memory: that is no finding.
class InitCheck {
 public:
  explicit InitCheck(Block& block) : shared_(block.shared_size()) {}
  void access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
              Access access);

 private:
  using Written = std::vector<bool>;  // by byte
  bool take(Written& memory, std::uint64_t offset, unsigned size, Access access);

  Written shared_;
  std::map<std::uint32_t, Written> local_;  // by thread
};

}  // namespace kiln::emulator
