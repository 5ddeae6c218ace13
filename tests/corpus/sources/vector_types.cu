// kernel: dots
// out: float
// expect: 10*i+1
__device__ float4 operator*(float4 v, float s) { return make_float4(v.x * s, v.y * s, v.z * s, v.w * s); }
__global__ void dots(float* out, int n) {
  float4 v = make_float4(1, 2, 3, 4) * float(threadIdx.x);
  int2 ones = make_int2(1, 0);
  uchar4 bytes = make_uchar4(0, 0, 0, 0);
  double2 wide = {0.0, 0.0};
  if (threadIdx.x < n) out[threadIdx.x] = v.x + v.y + v.z + v.w + ones.x + bytes.y + wide.x;
}
