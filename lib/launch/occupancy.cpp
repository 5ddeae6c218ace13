#include "launch/occupancy.hpp"

#include "launch/launch_attributes.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/device.hpp>

#include <algorithm>
#include <limits>

namespace kiln {

namespace {

CUfunction as_function(const KernelOnDevice& kernel) { return reinterpret_cast<CUfunction>(kernel.kernel); }

void check_query(int result, const char* call, const KernelOnDevice& kernel) {
  if (result != CUDA_SUCCESS)
    check_driver(result, call, " for kernel " + kernel.name + " on device " + std::to_string(kernel.device));
}

}  // namespace

int max_active_blocks(const KernelOnDevice& kernel, const Dim3& block, std::size_t shared_size) {
  if (block.count() > std::numeric_limits<int>::max()) return 0;
  int blocks = 0;
  check_query(DriverExtras::get().occupancy_max_active_blocks_per_multiprocessor_with_flags(
                  &blocks, as_function(kernel), static_cast<int>(block.count()), shared_size, CU_OCCUPANCY_DEFAULT),
              "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", kernel);
  return blocks;
}

int max_active_clusters(const KernelOnDevice& kernel, const LaunchConfig& config) {
  DriverConfig launch(config);
  int clusters = 0;
  const int result = DriverExtras::get().occupancy_max_active_clusters(&clusters, as_function(kernel), launch.get());
  if (result == CUDA_ERROR_INVALID_CLUSTER_SIZE || result == CUDA_ERROR_INVALID_VALUE) return 0;
  check_query(result, "cuOccupancyMaxActiveClusters", kernel);
  return clusters;
}

int max_potential_cluster_size(const KernelOnDevice& kernel, const LaunchConfig& config) {
  LaunchConfig without_cluster = config;
  without_cluster.attributes.cluster = {};
  DriverConfig launch(without_cluster);
  int blocks = 0;
  check_query(DriverExtras::get().occupancy_max_potential_cluster_size(&blocks, as_function(kernel), launch.get()),
              "cuOccupancyMaxPotentialClusterSize", kernel);
  return blocks;
}

PotentialBlockSize potential_block_size(const KernelOnDevice& kernel, std::size_t shared_size, int block_limit) {
  PotentialBlockSize size;
  check_query(DriverExtras::get().occupancy_max_potential_block_size_with_flags(
                  &size.min_grid_size, &size.block_size, as_function(kernel), nullptr, shared_size, block_limit,
                  CU_OCCUPANCY_DEFAULT),
              "cuOccupancyMaxPotentialBlockSizeWithFlags", kernel);
  return size;
}

std::vector<BlockNeed> block_needs(const KernelOnDevice& kernel, const std::function<std::size_t(int)>& bytes,
                                   int block_limit) {
  constexpr int warp_size = 32;
  const std::size_t limit = most_shared_memory(kernel);
  const int of_kernel = kernel.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  const int largest = block_limit != 0 ? std::min(block_limit, of_kernel) : of_kernel;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::vector<BlockNeed> blocks;
  for (int threads = largest; threads > 0; threads = (threads - 1) / warp_size * warp_size) {
    const std::size_t needed = bytes(threads);
    if (needed > std::numeric_limits<std::size_t>::max() / 2)  // an int of the callable's, made a std::size_t
      throw_limit(kernel.name, "shared_size of a block of " + std::to_string(threads) + " threads", "at least 0 bytes",
                  "-" + std::to_string(0 - needed) + " bytes", "");
    least = std::min(least, needed);
    if (needed <= limit) blocks.push_back({threads, needed});
  }
  if (blocks.empty())
    throw_limit(kernel.name, "shared_size of every block", "at most " + std::to_string(limit) + " bytes",
                "at least " + std::to_string(least) + " bytes", "");
  return blocks;
}

PotentialBlockSize potential_block_size(const KernelOnDevice& kernel, const std::vector<BlockNeed>& blocks) {
  PotentialBlockSize best;
  int most_threads = 0;
  for (const BlockNeed& block : blocks) {
    const int resident = max_active_blocks(kernel, block.threads, block.shared_size);
    if (resident * block.threads <= most_threads) continue;
    most_threads = resident * block.threads;
    best = {resident, block.threads};
  }
  best.min_grid_size *= Device(kernel.device).attribute(DeviceAttribute::multiprocessor_count);
  return best;
}

std::size_t available_shared_size(const KernelOnDevice& kernel, int blocks, const Dim3& block) {
  std::size_t bytes = 0;
  check_query(DriverExtras::get().occupancy_available_dynamic_smem_per_block(&bytes, as_function(kernel), blocks,
                                                                             static_cast<int>(block.count())),
              "cuOccupancyAvailableDynamicSMemPerBlock", kernel);
  return bytes;
}

void set_kernel_cache_config(const KernelOnDevice& kernel, CUfunc_cache config) {
  check_query(DriverExtras::get().kernel_set_cache_config(kernel.kernel, config, kernel.device),
              "cuKernelSetCacheConfig", kernel);
}

}  // namespace kiln
