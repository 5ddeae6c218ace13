// *sum += the sum of n elements. A thread adds PER_THREAD times VECTOR elements, then a block adds up by SHUFFLE or in
// shared memory.
struct __align__(4 * VECTOR) Elements {
  float of[VECTOR];
};

extern "C" __global__ void reduction(float* sum, const float* in, int n) {
  const int first = (blockIdx.x * BLOCK * PER_THREAD + threadIdx.x) * VECTOR;
  float mine = 0;
#pragma unroll
  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = first + k * BLOCK * VECTOR;
    if (i + VECTOR <= n) {
      const Elements x = *reinterpret_cast<const Elements*>(in + i);
#pragma unroll
      for (int j = 0; j < VECTOR; ++j) mine += x.of[j];
    } else {
      for (int j = i; j < n; ++j) mine += in[j];
    }
  }
#if SHUFFLE
  __shared__ float partial[32];
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < BLOCK / 32 ? partial[threadIdx.x] : 0;
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffffu, mine, distance);
#else
  __shared__ float partial[BLOCK];
  partial[threadIdx.x] = mine;
  __syncthreads();
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (threadIdx.x < distance) partial[threadIdx.x] += partial[threadIdx.x + distance];
    __syncthreads();
  }
  mine = partial[0];
#endif
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}
