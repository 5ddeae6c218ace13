// KILN_EMULATOR_CHECK=race,init: data races, and uninitialised reads.
#pragma once

#include "emulator/machine/step.hpp"
#include "emulator/memory/windows.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::emulator {

class AsyncChecks;
class Block;
class GridRaces;
class GroupChecks;

/// The registers of a store: `count` lane arrays, whose values have `register_size` bytes. The low `memory_size` bytes
/// of each are stored, one after the other.
struct StoredValues {
  const Slot* elements = nullptr;
  unsigned count = 0, register_size = 0, memory_size = 0;
};

/// What the checks of all blocks of a launch share. Null unless races are checked.
std::shared_ptr<GridRaces> make_grid_races();

/// A finding is a Fault with CUDA_ERROR_LAUNCH_FAILED. One object for each block. Implemented in checks/.
class MemoryChecks {
 public:
  /// Null unless Settings turn one of the checks on.
  static std::unique_ptr<MemoryChecks> make_if_enabled(Block& block);
  ~MemoryChecks();

  /// A lane accesses [address, address + size) of a space that is not generic. read_write is an atomic.
  void access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
              Access access);
  /// A lane of another block of the cluster accesses this block's shared memory. Not checked for races; an atomic one
  /// orders all threads of both blocks.
  void remote_access(Warp& warp, const Step& step, unsigned lane, std::uint64_t offset, unsigned size, Access access);
  /// The values of the next writes, until the next call; empty if they are not known.
  void storing(const StoredValues& values);
  /// These lanes of a warp synchronise: bar.warp.sync, shfl, vote ...
  void order(const Warp& warp, LaneMask members);
  /// The same for threads at a barrier of the block: the lanes of each warp.
  void order(const std::vector<LaneMask>& lanes_of_warps);
  /// The same for all threads of the block.
  void order_all();
  /// A thread executes a fence for other blocks: membar.gl, fence.acq_rel.gpu and the like.
  void fence();
  /// The block and another one of its cluster synchronise.
  void meet(MemoryChecks& other);
  /// A thread of the kernel has been given this global memory.
  void reuse(std::uint64_t address, std::uint64_t size);
  /// Null unless races are checked.
  AsyncChecks* async();
  GroupChecks* group();

 private:
  MemoryChecks(Block& block, bool race, bool init);
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace kiln::emulator
