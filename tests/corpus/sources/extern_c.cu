// kernel: ramp
// out: unsigned
// expect: 3*i
extern "C" __global__ void ramp(unsigned* out, int n) {
  unsigned i = threadIdx.x;
  if (i < n) out[i] = 3 * i;
}
