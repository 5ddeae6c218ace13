// kernel: race
// out: unsigned
// expect: 64 63 0 2016 64 1 1 5
__global__ void race(unsigned* out, int n) {
  __shared__ int most, least;
  __shared__ float total;
  __shared__ unsigned long long wide;
  __shared__ unsigned bits;
  if (threadIdx.x == 0) { most = -1; least = 99; total = 0; wide = 0; bits = 0; }
  __syncthreads();
  atomicMax(&most, (int)threadIdx.x);
  atomicMin(&least, (int)threadIdx.x);
  atomicAdd(&total, (float)threadIdx.x);
  atomicAdd(&wide, 1ull);
  atomicOr(&bits, 1u);
  atomicAdd(out, 1u);
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[1] = most;
  out[2] = least;
  out[3] = (unsigned)total;
  out[4] = (unsigned)wide;
  out[5] = bits;
  out[6] = atomicCAS(&bits, 1u, 5u);
  for (int i = 7; i < n; ++i) out[i] = bits;
}
