// kernel: mix
// out: unsigned
// expect: 2863311531
__global__ void mix(unsigned* out, int n) {
  unsigned long long x = 0x0123456789abcdefull * 3;
  long long y = -(1ll << 40) / 3;
  x = x / 7 % 1000003 + (unsigned long long)(y >> 20);
  x -= x - 0xaaaaaaabull;
  if (threadIdx.x < n) out[threadIdx.x] = (unsigned)x;
}
