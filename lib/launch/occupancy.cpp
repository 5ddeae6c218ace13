#include "launch/occupancy.hpp"

#include "launch/launch_attributes.hpp"
#include "toolkit/driver/driver_extras.hpp"

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
