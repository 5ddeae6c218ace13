// kernel: narrow
// out: unsigned
// expect: 1*i
typedef unsigned int uint;
__global__ void narrow(uint* out, int n) {
  ushort i = threadIdx.x;
  if (i < n) out[i] = i;
}
