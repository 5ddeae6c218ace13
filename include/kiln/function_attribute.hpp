// The attributes of a kernel on a device, and which of them can be set.
#pragma once

namespace kiln {

/// The numbers of CUfunction_attribute, with PyCUDA's names (pycuda.driver.function_attribute).
enum class FunctionAttribute {
  max_threads_per_block = 0,
  /// Bytes of its __shared__ variables.
  shared_size_bytes = 1,
  const_size_bytes = 2,
  local_size_bytes = 3,
  num_regs = 4,
  ptx_version = 5,
  binary_version = 6,
  cache_mode_ca = 7,
  /// The most dynamic shared memory that a launch may ask for. Can be raised.
  max_dynamic_shared_size_bytes = 8,
  /// Shared memory's part of the L1 cache in percent; -1 is the driver's own choice. Can be set.
  preferred_shared_memory_carveout = 9,
  cluster_size_must_be_set = 10,
  /// Blocks in a cluster by axis, 0 for none. Can be set where the source has no __cluster_dims__.
  required_cluster_width = 11,
  required_cluster_height = 12,
  required_cluster_depth = 13,
  /// Clusters of more than 8 blocks. Can be set; a launch that needs it sets it.
  non_portable_cluster_size_allowed = 14,
  /// A CUclusterSchedulingPolicy. Can be set.
  cluster_scheduling_policy_preference = 15,
  device_node_update_supported = 16,
  /// A CUsharedMemoryMode. Can be set.
  shared_memory_mode = 17,
};

/// Which gets more of a multiprocessor's memory. Counterpart: CUfunc_cache, pycuda.driver.func_cache.
enum class CacheConfig { prefer_none = 0, prefer_shared = 1, prefer_l1 = 2, prefer_equal = 3 };

/// A launch that fills a device: what Function::max_potential_block_size finds.
struct PotentialBlockSize {
  /// Blocks in the smallest grid that does.
  int min_grid_size = 0;
  /// Threads in a block.
  int block_size = 0;
};

}  // namespace kiln
