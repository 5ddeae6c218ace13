// cuLaunchKernelEx: as cuLaunchKernel, with its attributes.
#include "fake_state.hpp"

using fake_cuda::Kernel;
using fake_cuda::Launch;
using fake_cuda::State;

namespace {

CUresult check_cluster(const CUlaunchConfig& config, const CUlaunchAttributeValue& value, int capability) {
  const auto& cluster = value.clusterDim;
  if (capability < 90 || cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return CUDA_ERROR_INVALID_VALUE;
  const bool divides =
      config.gridDimX % cluster.x == 0 && config.gridDimY % cluster.y == 0 && config.gridDimZ % cluster.z == 0;
  return divides ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CLUSTER_SIZE;
}

// What the real driver is known to refuse; it takes a priority out of range for the nearest one.
CUresult check(const CUlaunchConfig& config, int capability) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    CUresult result = CUDA_SUCCESS;
    if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      result = check_cluster(config, config.attrs[i].value, capability);
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                                     void** extra) {
  if (!fake_cuda::recording.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  return fake_cuda::call("cuLaunchKernelEx", [&](State& state) {
    Launch launch = {{},
                     {config->gridDimX, config->gridDimY, config->gridDimZ},
                     {config->blockDimX, config->blockDimY, config->blockDimZ},
                     config->sharedMemBytes,
                     {},
                     {},
                     {},
                     {}};
    for (unsigned i = 0; i < config->numAttrs; ++i)
      launch.attributes[config->attrs[i].id].assign(reinterpret_cast<const char*>(&config->attrs[i].value),
                                                    sizeof(CUlaunchAttributeValue));
    return fake_cuda::launch(state, function, std::move(launch), config->hStream, parameters, extra,
                             [&](const Kernel&, int device) {
                               return check(*config, state.capabilities[static_cast<std::size_t>(device)]);
                             });
  });
}
