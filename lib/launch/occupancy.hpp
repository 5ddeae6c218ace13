// How much of a kernel runs on a device at once, and how its memory is split. The kernel's device must be the current
// one: the driver reckons for the current context. Dynamic shared memory beyond the default must have been allowed
// before.
#pragma once

#include "launch/launch_limits.hpp"

#include <kiln/function_attribute.hpp>

#include <functional>
#include <vector>

namespace kiln {

/// Blocks of this many threads that one multiprocessor runs at once.
int max_active_blocks(const KernelOnDevice& kernel, const Dim3& block, std::size_t shared_size);
/// Clusters of the configuration's size (or the kernel's own) that the device runs at once; 0 where it can run none.
int max_active_clusters(const KernelOnDevice& kernel, const LaunchConfig& config);
/// The most blocks that a cluster can have with the configuration's block and shared memory.
int max_potential_cluster_size(const KernelOnDevice& kernel, const LaunchConfig& config);

/// The block that keeps the device fullest, and the grid that fills it.
PotentialBlockSize potential_block_size(const KernelOnDevice& kernel, std::size_t shared_size, int block_limit);
/// A block and the dynamic shared memory in bytes that it needs.
struct BlockNeed {
  int threads;
  std::size_t shared_size;
};
/// The blocks that the driver tries, the largest first, without those that need more than the device has. Throws
/// ArgumentError where all do or where one needs a negative number, and what `bytes` throws.
std::vector<BlockNeed> block_needs(const KernelOnDevice& kernel, const std::function<std::size_t(int)>& bytes,
                                   int block_limit);
/// The best of them. The driver has a call for it, whose callback takes no argument of the program's.
PotentialBlockSize potential_block_size(const KernelOnDevice& kernel, const std::vector<BlockNeed>& blocks);

/// Bytes that each of so many blocks on one multiprocessor can have.
std::size_t available_shared_size(const KernelOnDevice& kernel, int blocks, const Dim3& block);
/// Throws DriverError.
void set_kernel_cache_config(const KernelOnDevice& kernel, CUfunc_cache config);

}  // namespace kiln
