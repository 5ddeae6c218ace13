// kernel: widths
// out: unsigned
// expect: 1 2 4 8 255 65535 4294967295 8 8 7
#include <stdint.h>
__global__ void widths(unsigned* out, int n) {
  if (threadIdx.x != 0) return;
  out[0] = sizeof(int8_t);
  out[1] = sizeof(uint16_t);
  out[2] = sizeof(int32_t);
  out[3] = sizeof(uint64_t);
  out[4] = UINT8_MAX;
  out[5] = UINT16_MAX;
  out[6] = UINT32_MAX;
  out[7] = sizeof(intptr_t);
  out[8] = sizeof(uint_fast64_t);
  out[9] = (uint32_t)(INT64_C(7) << 40 >> 40);
  for (int i = 10; i < n; ++i) out[i] = 7;
}
