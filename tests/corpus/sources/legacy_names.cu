// kernel: constants
// out: float
// expect: 3 2147483648 1 4 9 8 2
__global__ void constants(float* out, int n) {
  float x = 3;
  if (threadIdx.x != 0) return;
  out[0] = floor(M_PI);
  out[1] = (float)INT_MAX;
  out[2] = INFINITY > 1e38f;
  out[3] = sizeof(uint);
  out[4] = pow(x, 2.0);
  out[5] = pow(2, 3);
  for (int i = 6; i < n; ++i) out[i] = std::sqrt(4.0f);
}
