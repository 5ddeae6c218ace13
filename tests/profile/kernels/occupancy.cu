// Kernels that hold few or many values in registers, and one with shared memory of its own.
#include "parameters.hpp"

// No compiler knows p, so that all N values are needed in each round.
template <int N>
__device__ float rounds_over(const float* in, unsigned p) {
  float kept[N];
#pragma unroll
  for (int i = 0; i < N; ++i) kept[i] = in[i];
  for (unsigned round = 0; round < p; ++round) {
    const float first = kept[0];
#pragma unroll
    for (int i = 0; i < N - 1; ++i) kept[i] = kept[i] * kept[i + 1];
    kept[N - 1] *= first;
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i) sum += kept[i];
  return sum;
}

#define HOLDS(N) \
  extern "C" __global__ void holds_##N(PARAMETERS(float)) { out[global_thread()] = rounds_over<N>(in, p); }
HOLDS(4)
HOLDS(40)
HOLDS(100)
HOLDS(200)

extern "C" __global__ void holds_shared(PARAMETERS(float)) {
  __shared__ float tile[5000];
  for (unsigned i = threadIdx.x; i < 5000; i += blockDim.x) tile[i] = in[q + i % 8];
  __syncthreads();
  out[global_thread()] = tile[(threadIdx.x * 7 + p) % 5000];
}
