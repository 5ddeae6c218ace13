#include "emulator/instructions/floating/float_fma_warp.hpp"

#include "emulator/machine/warp.hpp"
#include "emulator/numbers/float_format.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace kiln::emulator {
namespace {

// A separate function, as only some processors have the instruction.
__attribute__((target("avx2,fma"))) void fma_warp(float* d, const float* a, const float* b, const float* c) {
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(F32::nan)));
  for (unsigned lane = 0; lane < warp_size; lane += 8) {
    const __m256 sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + lane), _mm256_loadu_ps(b + lane), _mm256_loadu_ps(c + lane));
    const __m256 is_nan = _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q);
    _mm256_storeu_ps(d + lane, _mm256_blendv_ps(sum, nan, is_nan));
  }
}

void fma_f32(const Step& step, Warp& warp, LaneMask active) {
  float* d = warp.out<float>(step.operand[0]);
  const float *a = warp.in<float>(step.operand[1]), *b = warp.in<float>(step.operand[2]),
              *c = warp.in<float>(step.operand[3]);
  if (active == all_lanes) return fma_warp(d, a, b, c);
  float all[warp_size];
  fma_warp(all, a, b, c);
  each_lane(active, [&](unsigned lane) { d[lane] = all[lane]; });
}

}  // namespace

Handler fma_by_processor() {
  static const bool has = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
  return has ? fma_f32 : nullptr;
}

}  // namespace kiln::emulator

#else

namespace kiln::emulator {

Handler fma_by_processor() { return nullptr; }

}  // namespace kiln::emulator

#endif
