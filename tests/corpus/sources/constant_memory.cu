// kernel: look_up
// out: float
// expect: 1 2 4 8 1 2 4 8 0
struct Settings { float weights[4]; int count; };
__constant__ Settings settings = {{1, 2, 4, 8}, 4};
__global__ void look_up(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x < 8 ? settings.weights[threadIdx.x % settings.count] : 0;
}
