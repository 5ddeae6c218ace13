// kernel: extremes
// out: float
// expect: 1
#include <cfloat>
#include <climits>
__global__ void extremes(float* out, int n) {
  bool good = FLT_MAX > 3e38f && 1.0f + FLT_EPSILON != 1.0f && 1.0f + FLT_EPSILON / 2 == 1.0f;
  good = good && DBL_MAX > FLT_MAX && DBL_DIG == 15 && FLT_MIN > 0 && LONG_MAX == LLONG_MAX;
  if (threadIdx.x < n) out[threadIdx.x] = good;
}
