#include "generate/lane_text.hpp"

#include "generate/reserved_text.hpp"

namespace kiln {

std::string_view index_text() {
  return reserved_text([] {
    return R"cuda(
__device__ __forceinline__ unsigned $thread_x() {
  const auto [$x, $y, $z] = threadIdx;
  return $x;
}
__device__ __forceinline__ unsigned $block_x() {
  const auto [$x, $y, $z] = blockIdx;
  return $x;
}
__device__ __forceinline__ unsigned $block_dim_x() {
  const auto [$x, $y, $z] = blockDim;
  return $x;
}
__device__ __forceinline__ unsigned $grid_dim_x() {
  const auto [$x, $y, $z] = gridDim;
  return $x;
}
)cuda";
  });
}

std::string thread_index(const std::string& type) {
  return "((" + type + ")__kiln_block_x() * __kiln_block_dim_x() + __kiln_thread_x())";
}

std::string thread_count(const std::string& type) { return "(" + type + ")__kiln_grid_dim_x() * __kiln_block_dim_x()"; }

std::string_view lane_text() {
  return reserved_text([] {
    return R"cuda(
template <unsigned $bytes> struct $word;
template <> struct $word<1> { using $type = unsigned char; };
template <> struct $word<2> { using $type = unsigned short; };
template <> struct $word<4> { using $type = unsigned; };
template <> struct $word<8> { using $type = uint2; };
template <> struct $word<16> { using $type = uint4; };
__host__ __device__ constexpr unsigned $word_size(unsigned $bytes) {
  return $bytes % 16 == 0 ? 16 : $bytes % 8 == 0 ? 8 : $bytes % 4 == 0 ? 4 : $bytes % 2 == 0 ? 2 : 1;
}
// How many elements a thread takes at once: whole words of 16 bytes, where that is not too much for one of the types.
template <class... $Types>
__host__ __device__ constexpr unsigned $lane_count() {
  unsigned $best = 1;
  for (unsigned $count = 1; $count <= 16; $count *= 2) {
    if (!((sizeof($Types) * $count <= 48) && ...)) break;
    $best = $count;
    if (((sizeof($Types) * $count % 16 == 0) && ...)) break;
  }
  return $best;
}
template <class $Pointer> struct $element;
template <class $T> struct $element<$T*> { using $type = $T; };
template <class $T> struct $element<const $T*> { using $type = $T; };

template <class $T> __host__ __device__ constexpr bool $is_floating() { return false; }
template <> __host__ __device__ constexpr bool $is_floating<float>() { return true; }
template <> __host__ __device__ constexpr bool $is_floating<double>() { return true; }
template <class $T> __host__ __device__ constexpr bool $is_number() { return $is_floating<$T>(); }
template <> __host__ __device__ constexpr bool $is_number<bool>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<char>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<signed char>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<unsigned char>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<short>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<unsigned short>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<int>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<unsigned>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<long>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<unsigned long>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<long long>() { return true; }
template <> __host__ __device__ constexpr bool $is_number<unsigned long long>() { return true; }
// The neutral element, of a type that T has all values of, or nearly so.
template <class $T, class $Given>
__device__ __forceinline__ $T $as_neutral(const $Given& $given) {
  static_assert(!$is_floating<$Given>() || $is_floating<$T>() || !$is_number<$T>(),
                "neutral is a floating value, and the values are integers");
  return $given;
}

__device__ __forceinline__ bool $differ(unsigned char $a, unsigned char $b) { return $a != $b; }
__device__ __forceinline__ bool $differ(unsigned short $a, unsigned short $b) { return $a != $b; }
__device__ __forceinline__ bool $differ(unsigned $a, unsigned $b) { return $a != $b; }
__device__ __forceinline__ bool $differ(uint2 $a, uint2 $b) {
  const auto [$a_x, $a_y] = $a;
  const auto [$b_x, $b_y] = $b;
  return $a_x != $b_x || $a_y != $b_y;
}
__device__ __forceinline__ bool $differ(uint4 $a, uint4 $b) {
  const auto [$a_x, $a_y, $a_z, $a_w] = $a;
  const auto [$b_x, $b_y, $b_z, $b_w] = $b;
  return $a_x != $b_x || $a_y != $b_y || $a_z != $b_z || $a_w != $b_w;
}

// Some elements that lie side by side, at a multiple of a word.
template <class $T, unsigned $size>
struct $lanes {
  static constexpr unsigned $words = $size * sizeof($T) / $word_size($size * sizeof($T));
  using $word_type = typename $word<$word_size($size * sizeof($T))>::$type;
  union {
    $word_type $bits[$words];
    $T $values[$size];
  };
  __device__ __forceinline__ $lanes() {}
  __device__ __forceinline__ void $load(const $T* $from) {
#pragma unroll
    for (unsigned $k = 0; $k < $words; ++$k) $bits[$k] = reinterpret_cast<const $word_type*>($from)[$k];
  }
  __device__ __forceinline__ void $store($T* $to) const {
#pragma unroll
    for (unsigned $k = 0; $k < $words; ++$k) reinterpret_cast<$word_type*>($to)[$k] = $bits[$k];
  }
  __device__ __forceinline__ bool $differs_from(const $lanes& $other) const {
    bool $result = false;
#pragma unroll
    for (unsigned $k = 0; $k < $words; ++$k) $result = $result || $differ($bits[$k], $other.$bits[$k]);
    return $result;
  }
};
// A vector as the operation sees it: what it says of element i is about a register.
template <class $T, unsigned $size, class $Index>
struct $window {
  $T* $values;
  $Index $first;
  template <class $Given>
  __device__ __forceinline__ $T& operator[]($Given $at) const {
    if ($at - $first >= $size) __trap();  // no macro of a header may ask for another element
    return $values[$at - $first];
  }
};
)cuda";
  });
}

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
