// kernel: extremes
// out: unsigned
// expect: 2147483647 2147483648 4294967295 8 127 32767 65535 1
#include <limits.h>
__global__ void extremes(unsigned* out, int n) {
  if (threadIdx.x != 0) return;
  out[0] = INT_MAX;
  out[1] = (unsigned)INT_MIN;
  out[2] = UINT_MAX;
  out[3] = CHAR_BIT;
  out[4] = SCHAR_MAX;
  out[5] = SHRT_MAX;
  out[6] = USHRT_MAX;
  for (int i = 7; i < n; ++i) out[i] = ULLONG_MAX == ~0ull && LLONG_MAX > LONG_MIN;
}
