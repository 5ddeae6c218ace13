#include "generate/scan_source.hpp"

#include "base/argument_error.hpp"
#include "generate/lane_text.hpp"
#include "generate/operation_tokens.hpp"
#include "generate/reserved_text.hpp"
#include "generate/value_functions.hpp"

#include <string_view>
#include <utility>

namespace kiln {

namespace {

// The body of a scan: one pass over the elements, in tiles that look back at those before them (Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).

/// CUDA C++, after shuffle_text() and what the kind of scan adds: __kiln_with_first, __kiln_append_first,
/// __kiln_result.
std::string_view scan_text() {
  return reserved_text([] {
    return R"cuda(
// The elements of a thread. An odd number, so that the threads of a warp read different banks of shared memory.
__host__ __device__ constexpr unsigned $scan_items() {
  return sizeof($Value) > 40 ? 1 : 124 / (unsigned)sizeof($Value) | 1;
}
constexpr unsigned $scan_block = 256;
// Blocks that a processor is to run at once: what the H200 was fastest with.
__host__ __device__ constexpr unsigned $scan_blocks() { return sizeof($Value) <= 8 ? 5 : 4; }

__device__ __forceinline__ $Value $shuffle_up(const $Value& $value, unsigned $lanes) {
  $shuffled $from($value), $to;
#pragma unroll
  for (unsigned $k = 0; $k < $shuffled::$words; ++$k)
    $to.$bits[$k] = __shfl_up_sync(0xffffffffu, $from.$bits[$k], $lanes);
  return $to.$value;
}

// What a tile tells those behind it: the sum of its own elements, then that of all up to its end.
enum : unsigned { $has_sum = 1, $has_total = 2 };

struct alignas(16) $words4 {
  unsigned $x, $y, $z, $w;
};
// $states has a uint4 for each tile: 4 * $epoch + one of the above, and the value where it fits. Epochs tell the states
// of this launch from those of earlier ones. Larger values lie in $values, two for each tile.
struct $tiles {
  uint4* $states;
  $Value* $values;
  unsigned $epoch;

  static constexpr bool $fits = sizeof($Value) <= 12;

  __device__ __forceinline__ void $tell(unsigned $tile, unsigned $what, const $Value& $value) const {
    $words4 $state = {$epoch * 4 + $what, 0, 0, 0};
    if constexpr ($fits) {
      const $shuffled $words($value);
      $state.$y = $words.$bits[0];
      if constexpr ($shuffled::$words > 1) $state.$z = $words.$bits[1];
      if constexpr ($shuffled::$words > 2) $state.$w = $words.$bits[2];
    } else {
      $values[2ul * $tile + ($what - 1)] = $value;
      __threadfence();
    }
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"($states + $tile), "r"($state.$x),
                 "r"($state.$y), "r"($state.$z), "r"($state.$w)
                 : "memory");
  }
  // Waits until the tile has told something.
  __device__ __forceinline__ unsigned $ask(unsigned $tile, $Value& $value) const {
    $words4 $state;
    do {
      asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"($state.$x), "=r"($state.$y), "=r"($state.$z), "=r"($state.$w)
                   : "l"($states + $tile)
                   : "memory");
    } while ($state.$x / 4 != $epoch);
    const unsigned $what = $state.$x % 4;
    if constexpr ($fits) {
      $shuffled $words;
      $words.$bits[0] = $state.$y;
      if constexpr ($shuffled::$words > 1) $words.$bits[1] = $state.$z;
      if constexpr ($shuffled::$words > 2) $words.$bits[2] = $state.$w;
      $value = $words.$value;
    } else {
      __threadfence();
      $value = $fresh($values + 2ul * $tile + ($what - 1));
    }
    return $what;
  }
  // By all threads of a warp: the sum of all tiles before this one, for thread 0.
  __device__ __forceinline__ $Value $look_back(unsigned $tile) const {
    const unsigned $lane = $thread_x() % 32;
    $Value $result;
    bool $is_first = true;
    for (long $at = (long)$tile - 1 - $lane;; $at -= 32) {
      $Value $value;
      unsigned $what = $has_total;
      if ($at >= 0) $what = $ask((unsigned)$at, $value);
      const unsigned $ends = __ballot_sync(0xffffffffu, $what == $has_total);
      const unsigned $last = $ends != 0 ? __ffs($ends) - 1 : 31;
#pragma unroll
      for (unsigned $k = 1; $k < 32; $k *= 2) {
        const $Value $earlier = $shuffle_down($value, $k);
        if ($lane + $k <= $last) $value = $reduce($earlier, $value);
      }
      if ($lane == 0) $result = $is_first ? $value : $reduce($value, $result);
      $is_first = false;
      if ($ends != 0) return $result;
    }
  }
};

// Between global and shared memory, in words of 16 bytes where the vectors begin at multiples of them.
__device__ __forceinline__ bool $in_words(const void* $from, unsigned $count) {
  return reinterpret_cast<unsigned long>($from) % 16 == 0 && $count == $scan_block * $scan_items();
}
__device__ __forceinline__ void $load_tile($Value* $to, const $Value* $from, unsigned $count) {
  constexpr unsigned $words = $scan_block * $scan_items() * sizeof($Value) / 16;
  if ($in_words($from, $count)) {
#pragma unroll
    for (unsigned $k = 0; $k < ($words + $scan_block - 1) / $scan_block; ++$k) {
      const unsigned $at = $k * $scan_block + $thread_x();
      if ($at < $words) reinterpret_cast<uint4*>($to)[$at] = reinterpret_cast<const uint4*>($from)[$at];
    }
  } else {
    // Behind the end stands any element: what is made of it is not stored.
    for (unsigned $k = $thread_x(); $k < $scan_block * $scan_items(); $k += $scan_block)
      $to[$k] = $from[$k < $count ? $k : $count - 1];
  }
}
__device__ __forceinline__ void $store_tile($Value* $to, const $Value* $from, unsigned $count) {
  constexpr unsigned $words = $scan_block * $scan_items() * sizeof($Value) / 16;
  if ($in_words($to, $count)) {
#pragma unroll
    for (unsigned $k = 0; $k < ($words + $scan_block - 1) / $scan_block; ++$k) {
      const unsigned $at = $k * $scan_block + $thread_x();
      if ($at < $words) reinterpret_cast<uint4*>($to)[$at] = reinterpret_cast<const uint4*>($from)[$at];
    }
  } else {
    for (unsigned $k = $thread_x(); $k < $count; $k += $scan_block) $to[$k] = $from[$k];
  }
}

// What stands before the elements of a thread: nothing, or the sum of those before them.
struct $before {
  $Value $value;
  bool $is_there = false;
  __device__ __forceinline__ $before() {}
  __device__ __forceinline__ void $append(const $Value& $next) {
    $value = $is_there ? $reduce($value, $next) : $next;
    $is_there = true;
  }
  __device__ __forceinline__ $Value $with(const $Value& $next) const {
    return $is_there ? $reduce($value, $next) : $next;
  }
};

__device__ __forceinline__ void $scan(const $Value* $in, $Value* $out, const $tiles& $all, unsigned* $counter,
                                     long $n) {
  constexpr unsigned $items = $scan_items(), $size = $scan_block * $items, $warps = $scan_block / 32;
  __shared__ alignas(16) unsigned char $elements_space[$size * sizeof($Value)];
  __shared__ alignas(16) unsigned char $sums_space[(($warps + 1) * sizeof($Value) + 3) / 4 * 4];
  __shared__ unsigned $shared_tile;
  $Value* const $elements = reinterpret_cast<$Value*>($elements_space);
  $Value* const $sums = reinterpret_cast<$Value*>($sums_space);  // of the warps; then of all tiles before
  const unsigned $warp = $thread_x() / 32, $lane = $thread_x() % 32;
  // The compiler may read the end of the sums as a word.
  if constexpr (sizeof($Value) % 4 != 0)
    if ($thread_x() == 0) reinterpret_cast<unsigned*>($sums_space)[sizeof($sums_space) / 4 - 1] = 0;
  // Tiles are begun in their order, so that one that is waited for runs. The last one sets the counter to 0 again.
  if ($thread_x() == 0) $shared_tile = atomicInc($counter, $grid_dim_x() - 1);
  __syncthreads();
  const unsigned $tile = $shared_tile;
  const long $first = (long)$tile * $size;
  const unsigned $count = $n - $first < $size ? (unsigned)($n - $first) : $size;
  $load_tile($elements, $in + $first, $count);
  __syncthreads();
  $lanes<$Value, $items> $own;
#pragma unroll
  for (unsigned $k = 0; $k < $items; ++$k) $own.$values[$k] = $elements[$thread_x() * $items + $k];
#pragma unroll
  for (unsigned $k = 1; $k < $items; ++$k) $own.$values[$k] = $reduce($own.$values[$k - 1], $own.$values[$k]);
  $Value $sum = $own.$values[$items - 1];
#pragma unroll
  for (unsigned $k = 1; $k < 32; $k *= 2) {
    const $Value $earlier = $shuffle_up($sum, $k);
    if ($lane >= $k) $sum = $reduce($earlier, $sum);
  }
  if ($lane == 31) $sums[$warp] = $sum;
  __syncthreads();
  if ($warp == 0) {
    $Value $of_tile = $sums[0];
#pragma unroll
    for (unsigned $k = 1; $k < $warps; ++$k) $of_tile = $reduce($of_tile, $sums[$k]);
    if ($tile == 0) {
      if ($lane == 0) {
        $all.$tell($tile, $has_total, $with_first($of_tile));
        $sums[$warps] = $of_tile;  // the compiler reads it before it asks for the tile
      }
    } else {
      if ($lane == 0) $all.$tell($tile, $has_sum, $of_tile);
      const $Value $earlier = $all.$look_back($tile);
      if ($lane == 0) {
        $all.$tell($tile, $has_total, $reduce($earlier, $of_tile));
        $sums[$warps] = $earlier;
      }
    }
  }
  const $Value $earlier_lanes = $shuffle_up($sum, 1);
  __syncthreads();
  $before $head;
  if ($tile > 0)
    $head.$append($sums[$warps]);
  else
    $append_first($head);
  for (unsigned $k = 0; $k < $warp; ++$k) $head.$append($sums[$k]);
  if ($lane > 0) $head.$append($earlier_lanes);
#pragma unroll
  for (unsigned $k = 0; $k < $items; ++$k) $elements[$thread_x() * $items + $k] = $result($head, $own.$values, $k);
  __syncthreads();
  $store_tile($out + $first, $elements, $count);
}
)cuda";
  });
}

/// The difference between the two kinds: the value before the first element, and whether result i includes element i.
std::string_view inclusive_text() {
  return reserved_text([] {
    return R"cuda(
__device__ __forceinline__ $Value $with_first(const $Value& $sum) { return $sum; }
template <class $Before> __device__ __forceinline__ void $append_first($Before&) {}
template <class $Before>
__device__ __forceinline__ $Value $result(const $Before& $head, const $Value* $sums, unsigned $k) {
  return $head.$with($sums[$k]);
}
)cuda";
  });
}
std::string_view exclusive_text() {
  return reserved_text([] {
    return R"cuda(
__device__ __forceinline__ $Value $with_first(const $Value& $sum) { return $reduce($neutral(), $sum); }
template <class $Before> __device__ __forceinline__ void $append_first($Before& $head) { $head.$append($neutral()); }
template <class $Before>
__device__ __forceinline__ $Value $result(const $Before& $head, const $Value* $sums, unsigned $k) {
  return $k == 0 ? $head.$value : $head.$with($sums[$k - 1]);
}
)cuda";
  });
}

ScanSource source_of(const std::string& expression, const std::string* neutral, const ScanOptions& options,
                     const std::string& type, std::size_t size) {
  const std::string none;
  std::string functions =
      includes_for({type}) + lined_part(options.preamble, options.name, "preamble", preamble_end) +
      std::string(index_text()) + std::string(lane_text()) +
      value_functions({options.name, type, size, neutral != nullptr ? *neutral : none, expression, "scan_expr", none});
  std::string text = functions + std::string(shuffle_text()) +
                     std::string(neutral != nullptr ? exclusive_text() : inclusive_text()) + std::string(scan_text()) +
                     "__global__ void __launch_bounds__(256, __kiln_scan_blocks()) " + options.name +
                     "(const __kiln_Value* __kiln_in, __kiln_Value* __kiln_out, void* __kiln_states, void* "
                     "__kiln_values, unsigned* __kiln_counter, "
                     "unsigned __kiln_epoch, long __kiln_n) {\n"
                     "  __kiln_scan(__kiln_in, __kiln_out, {static_cast<uint4*>(__kiln_states), "
                     "static_cast<__kiln_Value*>(__kiln_values), "
                     "__kiln_epoch}, __kiln_counter, __kiln_n);\n}\n";
  return {std::move(functions), std::move(text)};
}

}  // namespace

GeneratorTexts scan_texts(const ScanOptions& options) {
  return {options.name, options.preamble, options.options, options.compile, options.keep};
}

ScanSource read_scan(std::string_view given_expression, const std::string* given_neutral,
                     const ScanOptions& given_options, std::string type, std::size_t size) {
  ScanOptions options = given_options;
  std::string expression(given_expression), own_neutral = given_neutral != nullptr ? *given_neutral : std::string();
  const std::string* const neutral = given_neutral != nullptr ? &own_neutral : nullptr;
  use_device_complex({&type, &expression, &own_neutral, &options.preamble});
  scan_texts(options).check("scan kernel", {"a", "b"});
  const std::string subject = "scan kernel " + options.name + ": ";
  // A block stores one value for each thread and each warp in the 48 KB of shared memory that every device has.
  if (constexpr std::size_t most = 184; size > most)
    refuse(subject + "T", "a type of at most " + std::to_string(most) + " bytes", std::to_string(size) + " bytes");
  if (expression.empty()) refuse(subject + "scan_expr", "an expression of a and b, such as \"a + b\"", "nothing");
  check_text(expression, subject + "scan_expr");
  refuse_reserved(type, subject + "type");
  if (neutral != nullptr) {
    if (neutral->find_first_not_of(" \t\n") == std::string::npos)
      refuse(subject + "neutral", "a value that changes nothing, such as \"0\" for a sum", "nothing");
    check_text(*neutral, subject + "neutral");
  }
  return source_of(expression, neutral, options, type, size);
}

}  // namespace kiln
