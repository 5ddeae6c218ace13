#include "generate/reduce_text.hpp"

#include "generate/reserved_text.hpp"

namespace kiln {

std::string_view shuffle_text() {
  return reserved_text([] {
    return R"cuda(
// A value as words that shuffles move.
struct $shuffled {
  static constexpr unsigned $words = (sizeof($Value) + 3) / 4;
  union {
    unsigned $bits[$words];
    $Value $value;
  };
  __device__ __forceinline__ $shuffled() {}
  __device__ __forceinline__ explicit $shuffled(const $Value& $from) {
    $bits[$words - 1] = 0;
    $value = $from;
  }
};
__device__ __forceinline__ $Value $shuffle_down(const $Value& $value, unsigned $lanes) {
  $shuffled $from($value), $to;
#pragma unroll
  for (unsigned $k = 0; $k < $shuffled::$words; ++$k)
    $to.$bits[$k] = __shfl_down_sync(0xffffffffu, $from.$bits[$k], $lanes);
  return $to.$value;
}
// What another block wrote, past this processor's own cache.
__device__ __forceinline__ $Value $fresh(const $Value* $from) {
  using $held = $lanes<$Value, 1>;
  $held $value;
#pragma unroll
  for (unsigned $k = 0; $k < $held::$words; ++$k)
    $value.$bits[$k] = __ldcg(reinterpret_cast<const typename $held::$word_type*>($from) + $k);
  return $value.$values[0];
}
)cuda";
  });
}

std::string_view reduce_text() {
  return reserved_text([] {
    return R"cuda(
// The values of all threads, for the first one. A block has 256 of them.
__device__ __forceinline__ $Value $block_reduce($Value $value) {
  constexpr unsigned $warps = 8;
  __shared__ alignas(16) unsigned char $space[$warps * sizeof($Value)];
  $Value* const $of_warps = reinterpret_cast<$Value*>($space);
#pragma unroll
  for (unsigned $k = 16; $k > 0; $k /= 2) $value = $reduce($value, $shuffle_down($value, $k));
  if ($thread_x() % 32 == 0) $of_warps[$thread_x() / 32] = $value;
  __syncthreads();
  if ($thread_x() == 0) {
#pragma unroll
    for (unsigned $k = 1; $k < $warps; ++$k) $value = $reduce($value, $of_warps[$k]);
  }
  __syncthreads();
  return $value;
}
// The end of a reduction: the block that is done last puts together what all blocks found.
__device__ __forceinline__ void $finish($Value $value, $Value* $out, $Value* $partials, unsigned* $counter) {
  $value = $block_reduce($value);
  if ($grid_dim_x() > 1) {
    __shared__ bool $is_last;
    if ($thread_x() == 0) {
      $partials[$block_x()] = $value;
      __threadfence();
      $is_last = atomicInc($counter, $grid_dim_x() - 1) == $grid_dim_x() - 1;  // which sets it to 0 for the next launch
    }
    __syncthreads();
    if (!$is_last) return;
    __threadfence();
    $value = $neutral();
    for (unsigned $k = $thread_x(); $k < $grid_dim_x(); $k += $block_dim_x()) $value = $reduce($value, $fresh($partials + $k));
    $value = $block_reduce($value);
  }
  if ($thread_x() == 0) *$out = $post($value);
}
)cuda";
  });
}

}  // namespace kiln
