#include "worker/pch/pch_policy.hpp"

namespace kiln {

// To use one costs NVRTC 20 to 60 ms, by its size. cuda_fp16.h, at 30 ms, gains nothing; CUB has 850 ms to gain.
const PchPolicy& pch_policy() {
  static constexpr PchPolicy policy{std::chrono::milliseconds(100), std::chrono::milliseconds(80), false};
  return policy;
}

}  // namespace kiln
