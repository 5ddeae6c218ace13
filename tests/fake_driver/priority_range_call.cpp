// The range of priorities, as a large GPU has it.
#include "fake_state.hpp"

extern "C" CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return fake_cuda::call("cuCtxGetStreamPriorityRange", [&](fake_cuda::State&) {
    if (fake_cuda::current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *least = 0;
    *greatest = -5;
    return CUDA_SUCCESS;
  });
}
