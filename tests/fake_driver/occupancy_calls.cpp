// Occupancy of a device with 132 multiprocessors, reckoned from threads and dynamic shared memory alone.
#include "fake_state.hpp"

#include <algorithm>

using fake_cuda::call;
using fake_cuda::current_context;
using fake_cuda::Function;
using fake_cuda::Kernel;
using fake_cuda::State;

namespace {

constexpr int processors = 132;
constexpr int threads_of_processor = 2048;
constexpr int blocks_of_processor = 32;
constexpr std::size_t shared_of_processor = 233472;
constexpr std::size_t shared_of_system = 1024;  // of each block

const Kernel* find_kernel(const State& state, CUfunction handle) {
  if (state.functions.count(handle) != 0) return reinterpret_cast<const Function*>(handle)->kernel;
  return state.kernels.count(handle) != 0 ? reinterpret_cast<const Kernel*>(handle) : nullptr;
}

int active_blocks(unsigned long long threads, std::size_t shared) {
  if (threads == 0 || threads > 1024) return 0;
  const auto by_threads = static_cast<int>(threads_of_processor / threads);
  const auto by_shared = static_cast<int>(shared_of_processor / (shared + shared_of_system));
  return std::min({by_threads, by_shared, blocks_of_processor});
}

int attribute(const Kernel& kernel, CUfunction_attribute which) {
  const auto set = kernel.attributes.find({current_context()->device, which});
  return set == kernel.attributes.end() ? 0 : set->second;
}

int largest_cluster(const Kernel& kernel, const CUlaunchConfig& config) {
  if (active_blocks(1ull * config.blockDimX * config.blockDimY * config.blockDimZ, config.sharedMemBytes) == 0)
    return 0;
  return attribute(kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) != 0 ? 16 : 8;
}

unsigned cluster_size(const Kernel& kernel, const CUlaunchConfig& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      return config.attrs[i].value.clusterDim.x * config.attrs[i].value.clusterDim.y *
             config.attrs[i].value.clusterDim.z;
  const int compiled = attribute(kernel, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) *
                       attribute(kernel, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT) *
                       attribute(kernel, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
  return static_cast<unsigned>(std::max(compiled, 1));
}

/// A query about a kernel in the current context.
template <class Body>
CUresult query(const char* name, CUfunction function, const Body& body) {
  return call(name, [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    const Kernel* kernel = find_kernel(state, function);
    return kernel != nullptr ? body(*kernel) : CUDA_ERROR_INVALID_HANDLE;
  });
}

}  // namespace

extern "C" {

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              std::size_t shared, unsigned) {
  return query("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", function, [&](const Kernel&) {
    *blocks = active_blocks(static_cast<unsigned long long>(std::max(threads, 0)), shared);
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function, CUoccupancyB2DSize,
                                                   std::size_t shared, int limit, unsigned) {
  return query("cuOccupancyMaxPotentialBlockSizeWithFlags", function, [&](const Kernel&) {
    *block = limit > 0 ? std::min(limit, 1024) : 1024;
    *grid = processors * active_blocks(static_cast<unsigned long long>(*block), shared);
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int blocks, int threads) {
  return query("cuOccupancyAvailableDynamicSMemPerBlock", function, [&](const Kernel&) {
    if (blocks <= 0 || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
    *bytes = shared_of_processor / static_cast<std::size_t>(blocks) - shared_of_system;
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config) {
  return query("cuOccupancyMaxActiveClusters", function, [&](const Kernel& kernel) {
    const auto size = static_cast<int>(cluster_size(kernel, *config));
    if (size > 16) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    *clusters = size <= largest_cluster(kernel, *config) ? processors / size : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
  return query("cuOccupancyMaxPotentialClusterSize", function, [&](const Kernel& kernel) {
    *size = largest_cluster(kernel, *config);
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice device) {
  return call("cuKernelSetCacheConfig", [&](State& state) {
    if (state.kernels.count(handle) == 0) return CUDA_ERROR_INVALID_HANDLE;
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    return config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS
                                                                                       : CUDA_ERROR_INVALID_VALUE;
  });
}

}  // extern "C"
