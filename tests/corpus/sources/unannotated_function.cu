// For nvcc the constexpr function is host code that a kernel may not call, so it is only declared here.
// kernel: plain
// out: float
// expect: 1*i
int on_the_host(int n) { return n + 1; }
struct Host {
  int doubled() { return 2 * on_the_host(3); }
};
__global__ void plain(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x;
}
