// KILN_EMULATOR_CHECK=race,init: races of a block's threads in shared memory, and reads of memory never written.
#pragma once

#include "emulator/machine/step.hpp"
#include "emulator/memory/access.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::emulator {

class Block;

/// What a store is about to write: `elements` lane arrays of registers of `register_size` bytes, of each of which the
/// low `memory_size` bytes are stored, one behind the other.
struct StoredValues {
  const Slot* elements = nullptr;
  unsigned count = 0, register_size = 0, memory_size = 0;
};

/// Implemented in checks/. A finding is a Fault with CUDA_ERROR_LAUNCH_FAILED. The machine makes one of these a block.
class MemoryChecks {
 public:
  /// Null unless Settings ask for one of the checks.
  static std::unique_ptr<MemoryChecks> made(Block& block);
  ~MemoryChecks();

  /// A lane touches [address, address + size) of a space (not generic). read_write is an atomic.
  void access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
              Access access);
  /// What the next writes will be, until told otherwise; empty where it is not known.
  void storing(const StoredValues& values);
  /// What these lanes of a warp did before comes before what they do from now on: bar.warp.sync, shfl, vote ...
  void order(const Warp& warp, LaneMask members);
  /// The same for threads that met at a barrier of the block: the lanes of each warp.
  void order(const std::vector<LaneMask>& lanes_of_warps);
  /// The same for all threads of the block.
  void order_all();

 private:
  MemoryChecks(Block& block, bool race, bool init);
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace kiln::emulator
