// A handler for the wide vectors that most processors have, beside the one for any processor of the architecture.
#pragma once

#include "emulator/machine/step.hpp"

namespace kiln::emulator {

#if defined(__x86_64__) && defined(__GNUC__)

/// Whether the processor has AVX2, and all that in_wide_vectors() uses.
inline bool has_wide_vectors() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                          __builtin_cpu_supports("popcnt");
  return has;
}

/// The same source once more: all that it calls is inlined, and so compiled for these processors too.
template <Handler handler>
__attribute__((target("avx2,fma,bmi,bmi2,popcnt"), flatten)) void in_wide_vectors(const Step& step, Warp& warp,
                                                                                  LaneMask active) {
  handler(step, warp, active);
}

/// The faster of the two that this processor can run. With wide vectors, a loop over all lanes takes half as many
/// instructions, or fewer.
template <Handler handler>
Handler for_processor() {
  return has_wide_vectors() ? in_wide_vectors<handler> : handler;
}

#else

template <Handler handler>
Handler for_processor() {
  return handler;
}

#endif

}  // namespace kiln::emulator
