// kernel: lines
// out: unsigned
// expect: 101 7
__global__ void lines(unsigned* out, int n) {
#line 100 "generated.cu"
  if (threadIdx.x != 0) return;
  out[0] = __LINE__;
  for (int i = 1; i < n; ++i)
#line 7
    out[i] = __LINE__;
}
