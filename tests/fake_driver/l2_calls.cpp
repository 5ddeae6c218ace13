// The L2 cache's set-aside part and the windows of streams.
#include "fake_memory.hpp"

#include <cstring>

using fake_cuda::call;
using fake_cuda::Context;
using fake_cuda::context_of;
using fake_cuda::current_context;
using fake_cuda::note_arguments;
using fake_cuda::State;
using fake_cuda::Stream;

namespace {

// The stream's own window; a default stream has its context's.
CUaccessPolicyWindow* window_of(State& state, CUstream stream) {
  if (Stream* object = fake_cuda::find(state.streams, stream)) return &object->window;
  Context* const context = context_of(state, stream);
  return context != nullptr ? &context->default_stream_window : nullptr;
}

}  // namespace

extern "C" {

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return call("cuCtxGetLimit", [&](State&) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    const auto other = current_context()->limits.find(limit);
    const bool is_l2 = limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE;
    if (!is_l2 && other == current_context()->limits.end()) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = is_l2 ? current_context()->persisting_l2_limit : other->second;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return call("cuCtxSetLimit", [&](State& state) {
    note_arguments(state, "cuCtxSetLimit", {static_cast<unsigned long long>(limit), value});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (const auto other = current_context()->limits.find(limit); other != current_context()->limits.end()) {
      other->second = value;
      return CUDA_SUCCESS;
    }
    if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (value > static_cast<std::size_t>(state.persisting_l2)) return CUDA_ERROR_INVALID_VALUE;
    current_context()->persisting_l2_limit = value;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxResetPersistingL2Cache() {
  return call("cuCtxResetPersistingL2Cache",
              [&](State&) { return current_context() != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; });
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
  return call("cuStreamSetAttribute", [&](State& state) {
    CUaccessPolicyWindow* const window = window_of(state, stream);
    if (window == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (attribute != CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW) return CUDA_ERROR_INVALID_VALUE;
    const CUaccessPolicyWindow& wanted = value->accessPolicyWindow;
    const bool ratio_fits = wanted.hitRatio >= 0 && wanted.hitRatio <= 1;
    if (wanted.num_bytes > static_cast<std::size_t>(state.l2_window) || !ratio_fits) return CUDA_ERROR_INVALID_VALUE;
    *window = wanted;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return call("cuStreamGetAttribute", [&](State& state) {
    const CUaccessPolicyWindow* const window = window_of(state, stream);
    if (window == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (attribute != CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW) return CUDA_ERROR_INVALID_VALUE;
    std::memset(value, 0, sizeof *value);
    value->accessPolicyWindow = *window;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
