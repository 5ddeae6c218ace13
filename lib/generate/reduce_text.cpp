#include "generate/reduce_text.hpp"

namespace kiln {

std::string_view shuffle_text() {
  return R"cuda(
namespace kiln_generated {
// A value as words that shuffles move.
struct shuffled {
  static constexpr unsigned words = (sizeof(kiln_value) + 3) / 4;
  union {
    unsigned bits[words];
    kiln_value value;
  };
  __device__ __forceinline__ shuffled() {}
  __device__ __forceinline__ explicit shuffled(const kiln_value& from) {
    bits[words - 1] = 0;
    value = from;
  }
};
__device__ __forceinline__ kiln_value shuffle_down(const kiln_value& value, unsigned lanes) {
  shuffled from(value), to;
#pragma unroll
  for (unsigned k = 0; k < shuffled::words; ++k) to.bits[k] = __shfl_down_sync(0xffffffffu, from.bits[k], lanes);
  return to.value;
}
// What another block wrote, past this processor's own cache.
__device__ __forceinline__ kiln_value fresh(const kiln_value* from) {
  using held = lanes<kiln_value, 1>;
  held value;
#pragma unroll
  for (unsigned k = 0; k < held::words; ++k)
    value.bits[k] = __ldcg(reinterpret_cast<const typename held::word_type*>(from) + k);
  return value.values[0];
}
}  // namespace kiln_generated
)cuda";
}

std::string_view reduce_text() {
  return R"cuda(
namespace kiln_generated {
// The values of all threads, for the first one. A block has 256 of them.
__device__ __forceinline__ kiln_value block_reduce(kiln_value value) {
  constexpr unsigned warps = 8;
  __shared__ alignas(16) unsigned char space[warps * sizeof(kiln_value)];
  kiln_value* const of_warps = reinterpret_cast<kiln_value*>(space);
#pragma unroll
  for (unsigned k = 16; k > 0; k /= 2) value = kiln_reduce(value, shuffle_down(value, k));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned k = 1; k < warps; ++k) value = kiln_reduce(value, of_warps[k]);
  }
  __syncthreads();
  return value;
}
// The end of a reduction: the block that is done last puts together what all blocks found.
__device__ __forceinline__ void finish(kiln_value value, kiln_value* out, kiln_value* partials, unsigned* counter) {
  value = block_reduce(value);
  if (gridDim.x > 1) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
      partials[blockIdx.x] = value;
      __threadfence();
      is_last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;  // which sets it to 0 for the next launch
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    value = kiln_neutral();
    for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) value = kiln_reduce(value, fresh(partials + k));
    value = block_reduce(value);
  }
  if (threadIdx.x == 0) *out = kiln_post(value);
}
}  // namespace kiln_generated
)cuda";
}

}  // namespace kiln
