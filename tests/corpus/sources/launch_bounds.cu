// kernel: ramp
// out: float
// expect: 1*i
__global__ void __launch_bounds__(64, 2) ramp(float* __restrict__ out, const int n) {
  const int i = threadIdx.x;
#pragma unroll 4
  for (int step = 0; step < 8; ++step)
    if (i < n) out[i] = i;
}
