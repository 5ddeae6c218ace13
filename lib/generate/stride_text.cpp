#include "generate/stride_text.hpp"

#include "generate/reserved_text.hpp"

namespace kiln {

std::string_view stride_text() {
  return reserved_text([] {
    return R"cuda(
template <unsigned $dimensions, unsigned $vectors>
struct $places {
  long $extents[$dimensions];
  long $strides[$vectors][$dimensions];
};
// The indices of element i, the last one fastest.
template <unsigned $dimensions>
struct $indices {
  long $at[$dimensions];
  __device__ __forceinline__ $indices(long $i, long $n, const long* $extents) {
    if ($n <= 0xffffffff)
      $split((unsigned)$i, $extents);  // division of 64 bits takes several times as long
    else
      $split((unsigned long)$i, $extents);
  }
  template <class $Index>
  __device__ __forceinline__ void $split($Index $rest, const long* $extents) {
#pragma unroll
    for (unsigned $d = $dimensions - 1; $d > 0; --$d) {
      const $Index $extent = ($Index)$extents[$d];
      $at[$d] = (long)($rest % $extent);
      $rest /= $extent;
    }
    $at[0] = (long)$rest;
  }
  __device__ __forceinline__ long $place(const long* $strides) const {
    long $sum = 0;
#pragma unroll
    for (unsigned $d = 0; $d < $dimensions; ++$d) $sum += $at[$d] * $strides[$d];
    return $sum;
  }
};
// A vector as the operation sees it.
template <class $T, unsigned $dimensions>
struct $strided {
  $T* $first;
  $T* $here;
  long $i, $n;
  const long* $extents;
  const long* $strides;
  template <class $Given>
  __device__ __forceinline__ $T& operator[]($Given $given) const {
    if ((long)$given == $i) return *$here;
    return $first[$indices<$dimensions>((long)$given, $n, $extents).$place($strides)];  // by a macro of the program
  }
};
)cuda";
  });
}

}  // namespace kiln
