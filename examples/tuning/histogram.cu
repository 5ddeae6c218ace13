// bins[v] += how many of n bytes have the value v. A thread counts PER_THREAD times VECTOR bytes, in one of COPIES
// histograms of its block in shared memory.
struct __align__(VECTOR) Bytes {
  unsigned char of[VECTOR];
};

extern "C" __global__ void histogram(unsigned* bins, const unsigned char* in, int n) {
  __shared__ unsigned counts[COPIES][256];
  for (int i = threadIdx.x; i < COPIES * 256; i += BLOCK) counts[i / 256][i % 256] = 0;
  __syncthreads();
  unsigned* const mine = counts[threadIdx.x / 32 % COPIES];
  const int first = (blockIdx.x * BLOCK * PER_THREAD + threadIdx.x) * VECTOR;
  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = first + k * BLOCK * VECTOR;
    if (i + VECTOR <= n) {
      const Bytes bytes = *reinterpret_cast<const Bytes*>(in + i);
#pragma unroll
      for (int j = 0; j < VECTOR; ++j) atomicAdd(mine + bytes.of[j], 1u);
    } else {
      for (int j = i; j < n; ++j) atomicAdd(mine + in[j], 1u);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += BLOCK) {
    unsigned sum = 0;
    for (int copy = 0; copy < COPIES; ++copy) sum += counts[copy][i];
    if (sum != 0) atomicAdd(bins + i, sum);
  }
}
