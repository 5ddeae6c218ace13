// kernel: ramp
// out: float
// options: -std=c++20 --use_fast_math
// expect: 1*i+3
template <class T>
concept Number = requires(T a) { a + a; };
struct Point { float x, y; };
__global__ void ramp(float* out, int n) {
  Number auto shift = 1.0f;
  Point p{.x = shift, .y = 2};
  auto [x, y] = p;
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x + x + y;
}
