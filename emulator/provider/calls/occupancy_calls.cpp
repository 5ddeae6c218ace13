// Occupancy.
#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/code/occupancy.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/stream/launch_attributes.hpp"

#include <algorithm>

namespace {

using namespace kiln::emulator;

constexpr int warp_size = 32;

CUresult give_blocks(int* out, CUfunction handle, int block_size, size_t dynamic_shared, unsigned flags) {
  require(out != nullptr && block_size > 0 && (flags & ~unsigned{CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE}) == 0);
  *out = resident_blocks(*function_of(handle), block_size, dynamic_shared);
  return CUDA_SUCCESS;
}

// The largest of the block sizes that keep the most threads resident.
CUresult give_best(int* blocks, int* size, CUfunction handle, CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                   int limit, unsigned flags) {
  require(blocks != nullptr && size != nullptr && limit >= 0);
  require((flags & ~unsigned{CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE}) == 0);
  const std::shared_ptr<FunctionState> function = function_of(handle);
  int most = static_cast<int>(function->kernel->max_threads);
  if (limit != 0) most = std::min(most, limit);
  int best_threads = 0, best_size = 0, best_blocks = 0;
  // Multiples of the warp size, from the largest down; only the first one may not be a multiple.
  for (int rest = most; rest > 0; rest = (rest - 1) / warp_size * warp_size) {
    const size_t shared = shared_of == nullptr ? dynamic_shared : shared_of(rest);
    const int resident = resident_blocks(*function, rest, shared);
    if (resident * rest <= best_threads) continue;
    best_threads = resident * rest;
    best_size = rest;
    best_blocks = resident;
  }
  if (best_size == 0) throw CallError(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "");
  *size = best_size;
  *blocks = best_blocks * device_attribute(function->context->device(), CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return CUDA_SUCCESS;
}

int block_size_of(const CUlaunchConfig& config) {
  const std::uint64_t threads = std::uint64_t{config.blockDimX} * config.blockDimY * config.blockDimZ;
  require(threads != 0 && threads <= 1024);
  return static_cast<int>(threads);
}

}  // namespace

KILN_EMULATOR_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int* out, CUfunction function, int block_size,
                                                              size_t dynamic_shared) {
  return call(__func__, [&] { return give_blocks(out, function, block_size, dynamic_shared, 0); });
}

KILN_EMULATOR_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* out, CUfunction function, int block_size,
                                                                       size_t dynamic_shared, unsigned flags) {
  return call(__func__, [&] { return give_blocks(out, function, block_size, dynamic_shared, flags); });
}

KILN_EMULATOR_API cuOccupancyMaxPotentialBlockSize(int* blocks, int* size, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t dynamic_shared, int limit) {
  return call(__func__, [&] { return give_best(blocks, size, function, shared_of, dynamic_shared, limit, 0); });
}

KILN_EMULATOR_API cuOccupancyMaxPotentialBlockSizeWithFlags(int* blocks, int* size, CUfunction function,
                                                            CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                                                            int limit, unsigned flags) {
  return call(__func__, [&] { return give_best(blocks, size, function, shared_of, dynamic_shared, limit, flags); });
}

// Shared memory for each block if that many are resident: without what the device reserves in each block, and at most
// what the function may have now. As the driver computes it (cuda_occupancy.h).
KILN_EMULATOR_API cuOccupancyAvailableDynamicSMemPerBlock(size_t* out, CUfunction handle, int blocks, int block_size) {
  return call(__func__, [&] {
    require(out != nullptr && blocks > 0 && block_size > 0);
    const std::shared_ptr<FunctionState> function = function_of(handle);
    const auto attribute = [&](CUdevice_attribute id) {
      return static_cast<size_t>(device_attribute(function->context->device(), id));
    };
    require(resident_blocks(*function, block_size, 0) >= blocks);
    constexpr size_t unit = 128;
    const size_t of_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) +
                            attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    const size_t of_all = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    const size_t share = std::min(of_block, of_all / static_cast<size_t>(blocks) / unit * unit);
    const size_t left = share - std::min<size_t>(share, function->kernel->static_shared);
    *out = std::min(left, max_dynamic_shared(*function));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuOccupancyMaxPotentialClusterSize(int* out, CUfunction handle, const CUlaunchConfig* config) {
  return call(__func__, [&] {
    require(out != nullptr && config != nullptr);
    const std::shared_ptr<FunctionState> function = function_of(handle);
    const std::uint32_t most = most_blocks_in_cluster(*function);
    *out = most != 0 && resident_clusters(*function, 1, block_size_of(*config), config->sharedMemBytes) != 0
               ? static_cast<int>(most)
               : 0;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuOccupancyMaxActiveClusters(int* out, CUfunction handle, const CUlaunchConfig* config) {
  return call(__func__, [&] {
    require(out != nullptr && config != nullptr && (config->numAttrs == 0 || config->attrs != nullptr));
    const std::shared_ptr<FunctionState> function = function_of(handle);
    LaunchSizes sizes;
    for (unsigned i = 0; i < config->numAttrs; ++i) take_attribute(sizes, config->attrs[i].id, config->attrs[i].value);
    const Dim3 cluster = effective_cluster(*function, sizes.cluster).value_or(Dim3{});
    *out = resident_clusters(*function, cluster.count(), block_size_of(*config), config->sharedMemBytes);
    return CUDA_SUCCESS;
  });
}
