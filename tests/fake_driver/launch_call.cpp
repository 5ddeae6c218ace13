// cuLaunchKernel: checked and remembered, never run.
#include "fake_state.hpp"

using fake_cuda::call;
using fake_cuda::Context;
using fake_cuda::current_context;
using fake_cuda::find;
using fake_cuda::Function;
using fake_cuda::Kernel;
using fake_cuda::Launch;
using fake_cuda::State;
using fake_cuda::Stream;

namespace {

struct Target {
  CUresult result = CUDA_SUCCESS;
  Kernel* kernel = nullptr;
  int device = 0;
};

bool is_default_stream(CUstream stream) {
  return stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

// Which kernel on which device: the stream decides, and a function belongs to one device.
Target find_target(const State& state, CUfunction handle, CUstream stream) {
  Target target;
  const Context* context = current_context();
  if (!is_default_stream(stream)) {
    const Stream* object = find(state.streams, stream);
    if (object == nullptr) return {CUDA_ERROR_INVALID_HANDLE};
    context = object->context;
  }
  if (context == nullptr) return {CUDA_ERROR_INVALID_CONTEXT};
  target.device = context->device;
  if (state.functions.count(handle) != 0) {
    const auto* function = reinterpret_cast<const Function*>(handle);
    if (function->context != context) return {CUDA_ERROR_INVALID_HANDLE};
    target.kernel = function->kernel;
  } else if (state.kernels.count(handle) != 0) {
    target.kernel = reinterpret_cast<Kernel*>(handle);
  } else {
    return {CUDA_ERROR_INVALID_HANDLE};
  }
  if (!target.kernel->library->image.runs_on(state.capabilities[static_cast<std::size_t>(target.device)]))
    target.result = CUDA_ERROR_NO_BINARY_FOR_GPU;
  return target;
}

bool is_launchable(const Launch& launch, const Kernel& kernel) {
  constexpr unsigned long long largest = 1024;
  unsigned long long threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0 || launch.block[i] == 0) return false;
    threads *= launch.block[i];
    if (threads > largest) return false;
  }
  if (launch.grid[0] > 2147483647u || launch.grid[1] > 65535 || launch.grid[2] > 65535) return false;
  const auto raised = kernel.max_dynamic_shared.find(launch.device);
  const int used = kernel.info.shared_bytes > 0 ? kernel.info.shared_bytes : 0;
  const int limit = raised != kernel.max_dynamic_shared.end() ? raised->second : 49152 - used;
  return launch.shared_bytes <= static_cast<unsigned>(limit);
}

}  // namespace

CUresult fake_cuda::launch(State& state, CUfunction function, Launch launch, CUstream stream, void** parameters,
                           void** extra, const AttributeCheck& check) {
  const Target target = find_target(state, function, stream);
  if (target.result != CUDA_SUCCESS) return target.result;
  const kiln::KernelInfo& info = target.kernel->info;
  launch.kernel = info.name;
  launch.stream = stream;
  launch.device = target.device;
  if (!is_launchable(launch, *target.kernel)) return CUDA_ERROR_INVALID_VALUE;
  if (extra != nullptr || (parameters == nullptr && !info.parameters.empty())) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult refused = check(*target.kernel, target.device); refused != CUDA_SUCCESS) return refused;
  for (std::size_t i = 0; i < info.parameters.size(); ++i)
    launch.parameters.emplace_back(static_cast<const char*>(parameters[i]), info.parameters[i].size);
  state.launches.push_back(std::move(launch));
  return CUDA_SUCCESS;
}

extern "C" CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void** parameters, void** extra) {
  if (!fake_cuda::recording.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  return call("cuLaunchKernel", [&](State& state) {
    Launch launch = {{}, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, {}, {}, {}, {}};
    return fake_cuda::launch(state, function, std::move(launch), stream, parameters, extra,
                             [](const Kernel&, int) { return CUDA_SUCCESS; });
  });
}
