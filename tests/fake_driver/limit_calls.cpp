// Provisional: what the branches memory and attributes bring.
#include "fake_state.hpp"

using fake_cuda::call;
using fake_cuda::current_context;
using fake_cuda::State;

namespace {
std::set<const void*> captured;
std::map<const void*, std::size_t> limits;
}  // namespace

namespace fake_cuda {
void set_capturing(const void* stream, bool on) {
  const std::lock_guard lock(State::get().mutex);
  if (on)
    captured.insert(stream);
  else
    captured.erase(stream);
}
void set_l2(int persisting, int window) {
  const std::lock_guard lock(State::get().mutex);
  State::get().persisting_l2 = persisting;
  State::get().l2_window = window;
}
std::size_t persisting_l2_limit() {
  const std::lock_guard lock(State::get().mutex);
  return limits[current_context()];
}
}  // namespace fake_cuda

extern "C" {
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!fake_cuda::recording.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  return call("cuStreamIsCapturing", [&](State&) {
    if (stream == nullptr && current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (captured.count(stream) != 0) *status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
  });
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void**) {
  return call("cuLaunchKernelEx", [&](State& state) {
    fake_cuda::Launch launch = {{},
                                {config->gridDimX, config->gridDimY, config->gridDimZ},
                                {config->blockDimX, config->blockDimY, config->blockDimZ},
                                config->sharedMemBytes,
                                nullptr,
                                0,
                                {}};
    const CUresult result = fake_cuda::fill_launch(state, function, config->hStream, parameters, launch);
    if (result == CUDA_SUCCESS) state.launches.push_back(std::move(launch));
    return result;
  });
}
CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return call("cuCtxGetLimit", [&](State&) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = limits[current_context()];
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return call("cuCtxSetLimit", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (value > static_cast<std::size_t>(state.persisting_l2)) return CUDA_ERROR_INVALID_VALUE;
    limits[current_context()] = value;
    return CUDA_SUCCESS;
  });
}
}  // extern "C"
