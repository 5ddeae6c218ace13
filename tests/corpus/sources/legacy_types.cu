// kernel: narrow
// out: unsigned
// expect: 1*i+3
__device__ uint halved(uint x, ushort by) { return x / by; }
__global__ void narrow(uint* out, int n) {
  ulong wide = threadIdx.x * 2 + 6;
  for (uint i = threadIdx.x; i < n; i += blockDim.x) out[i] = halved(uint(wide), (ushort)2);
}
