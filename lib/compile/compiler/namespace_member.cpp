#include "compile/compiler/namespace_member.hpp"

#include "base/similar_name.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/advice.hpp"
#include "compile/compiler/declaring_header.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kiln {

namespace {

struct NamespaceMembers {
  std::string_view scope;
  std::string_view header;
  std::string_view names;
};

/// What sources often use of them, by the header that documents it.
constexpr NamespaceMembers known_members[] = {
    {"cooperative_groups", "<cooperative_groups.h>",
     "this_thread_block this_grid this_cluster coalesced_threads tiled_partition binary_partition labeled_partition "
     "thread_block thread_block_tile thread_group grid_group cluster_group coalesced_group block_tile_memory sync "
     "thread_rank group_size invoke_one invoke_one_broadcast"},
    {"cooperative_groups", "<cooperative_groups/reduce.h>",
     "reduce reduce_update_async reduce_store_async plus less greater bit_and bit_or bit_xor"},
    {"cooperative_groups", "<cooperative_groups/scan.h>",
     "inclusive_scan exclusive_scan inclusive_scan_update exclusive_scan_update"},
    {"cooperative_groups", "<cooperative_groups/memcpy_async.h>", "memcpy_async wait wait_prior"},
    {"cuda", "<cuda/atomic>",
     "atomic atomic_ref atomic_thread_fence thread_scope thread_scope_system thread_scope_device thread_scope_block "
     "thread_scope_thread memory_order memory_order_relaxed memory_order_acquire memory_order_release "
     "memory_order_acq_rel memory_order_seq_cst"},
    {"cuda", "<cuda/barrier>", "barrier memcpy_async aligned_size_t device"},
    {"cuda", "<cuda/pipeline>",
     "pipeline pipeline_shared_state pipeline_role make_pipeline pipeline_consumer_wait_prior "
     "pipeline_producer_commit"},
    {"cuda", "<cuda/latch>", "latch"},
    {"cuda", "<cuda/semaphore>", "counting_semaphore binary_semaphore"},
    {"cuda", "<cuda/annotated_ptr>",
     "annotated_ptr access_property associate_access_property apply_access_property discard_memory"},
    {"cuda", "<cuda/functional>", "proclaim_return_type get_device_address maximum minimum"},
    {"cuda", "<cuda/cmath>", "ceil_div round_up round_down ilog2 ilog10"},
    {"cuda", "<cuda/ptx>", "ptx"},
    {"cuda::std", "<cuda/std/array>", "array to_array"},
    {"cuda::std", "<cuda/std/atomic>",
     "atomic atomic_ref atomic_flag atomic_thread_fence memory_order memory_order_relaxed memory_order_acquire "
     "memory_order_release memory_order_acq_rel memory_order_seq_cst"},
    {"cuda::std", "<cuda/std/barrier>", "barrier"},
    {"cuda::std", "<cuda/std/bit>",
     "bit_cast popcount countl_zero countr_zero countl_one countr_one bit_ceil bit_floor bit_width has_single_bit rotl "
     "rotr endian"},
    {"cuda::std", "<cuda/std/bitset>", "bitset"},
    {"cuda::std", "<cuda/std/chrono>", "chrono"},
    {"cuda::std", "<cuda/std/cmath>",
     "sqrt exp log pow sin cos tan atan2 abs fabs fmin fmax fmod floor ceil round trunc isnan isinf isfinite signbit "
     "hypot lerp"},
    {"cuda::std", "<cuda/std/complex>", "complex polar conj norm arg"},
    {"cuda::std", "<cuda/std/cstddef>", "size_t ptrdiff_t nullptr_t max_align_t byte"},
    {"cuda::std", "<cuda/std/cstdint>",
     "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t"},
    {"cuda::std", "<cuda/std/expected>", "expected unexpected"},
    {"cuda::std", "<cuda/std/functional>",
     "max min plus minus multiplies divides modulus negate less less_equal greater greater_equal equal_to not_equal_to "
     "logical_and logical_or bit_and bit_or bit_xor invoke reference_wrapper identity"},
    {"cuda::std", "<cuda/std/initializer_list>", "initializer_list"},
    {"cuda::std", "<cuda/std/inplace_vector>", "inplace_vector"},
    {"cuda::std", "<cuda/std/iterator>", "begin end size data distance next prev advance reverse_iterator"},
    {"cuda::std", "<cuda/std/latch>", "latch"},
    {"cuda::std", "<cuda/std/limits>", "numeric_limits"},
    {"cuda::std", "<cuda/std/mdspan>", "mdspan extents dextents layout_left layout_right layout_stride dynamic_extent"},
    {"cuda::std", "<cuda/std/numbers>", "numbers"},
    {"cuda::std", "<cuda/std/numeric>", "accumulate reduce inner_product iota midpoint gcd lcm"},
    {"cuda::std", "<cuda/std/optional>", "optional nullopt make_optional"},
    {"cuda::std", "<cuda/std/ratio>", "ratio"},
    {"cuda::std", "<cuda/std/semaphore>", "counting_semaphore binary_semaphore"},
    {"cuda::std", "<cuda/std/span>", "span as_bytes as_writable_bytes"},
    {"cuda::std", "<cuda/std/tuple>", "tuple make_tuple tie get tuple_size tuple_element apply tuple_cat ignore"},
    {"cuda::std", "<cuda/std/type_traits>",
     "is_same is_same_v is_integral is_integral_v is_floating_point is_floating_point_v is_arithmetic is_arithmetic_v "
     "is_signed_v is_unsigned_v is_pointer_v is_convertible_v is_base_of_v is_trivially_copyable "
     "is_trivially_copyable_v enable_if enable_if_t conditional conditional_t remove_reference remove_reference_t "
     "remove_cv_t remove_cvref_t decay decay_t make_unsigned make_unsigned_t make_signed_t common_type common_type_t "
     "invoke_result_t integral_constant true_type false_type void_t is_constant_evaluated"},
    {"cuda::std", "<cuda/std/utility>",
     "swap exchange move forward pair make_pair declval as_const index_sequence make_index_sequence integer_sequence "
     "in_range cmp_less unreachable"},
    {"cuda::std", "<cuda/std/variant>", "variant visit monostate holds_alternative get_if"},
    {"cub", "<cub/cub.cuh>",
     "BlockReduce BlockScan BlockLoad BlockStore BlockRadixSort BlockMergeSort BlockHistogram BlockExchange "
     "BlockDiscontinuity BlockAdjacentDifference BlockRunLengthDecode WarpReduce WarpScan WarpLoad WarpStore "
     "WarpExchange WarpMergeSort ThreadLoad ThreadStore CacheModifiedInputIterator KeyValuePair ArgMax ArgMin"},
    {"nvcuda::wmma", "<mma.h>",
     "fragment matrix_a matrix_b accumulator row_major col_major mem_row_major mem_col_major load_matrix_sync "
     "store_matrix_sync mma_sync fill_fragment precision bmma_sync experimental"},
    {"thrust", "<thrust/complex.h>", "complex polar conj norm arg"},
    {"thrust", "<thrust/functional.h>",
     "plus minus multiplies divides modulus negate less less_equal greater greater_equal equal_to not_equal_to maximum "
     "minimum logical_and logical_or bit_and bit_or bit_xor identity"},
    {"thrust", "<thrust/tuple.h>", "tuple make_tuple get tie"},
    {"thrust", "<thrust/pair.h>", "pair make_pair"},
    {"thrust", "<thrust/random.h>",
     "default_random_engine uniform_real_distribution uniform_int_distribution normal_distribution minstd_rand"},
    {"thrust", "<thrust/execution_policy.h>", "seq device host"},
    {"pycuda", "<pycuda-complex.hpp>", "complex real imag conj norm arg abs polar exp log pow sin cos sqrt"},
};

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// Functions of CUDA without a namespace, which libcu++ may lack. Those of numbers have an "f" behind the name for
/// float.
constexpr std::string_view numeric_functions =
    "sqrt rsqrt cbrt rcbrt hypot rhypot exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan sinpi cospi sincos "
    "sincospi asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc erfinv erfcinv erfcx normcdf normcdfinv "
    "tgamma lgamma floor ceil round rint trunc nearbyint fmod remainder remquo fabs fmin fmax fdim fma copysign "
    "nextafter ldexp frexp modf logb ilogb scalbn scalbln lround llround lrint llrint norm3d norm4d rnorm3d rnorm4d "
    "norm "
    "rnorm j0 j1 jn y0 y1 yn cyl_bessel_i0 cyl_bessel_i1";
constexpr std::string_view plain_functions =
    "fdividef printf assert malloc free memcpy memset clock clock64 dim3 isnan isinf isfinite signbit min max abs labs "
    "llabs umin umax ullmin ullmax";
constexpr std::string_view plain_beginnings =
    "__f __d __expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __sincosf __powf __saturatef __int __uint "
    "__ll "
    "__ull __float __double __half __hadd __popc __clz __ffs __brev __byte_perm __mul __umul __sad __usad "
    "__syncthreads "
    "__syncwarp __shfl_ __any_sync __all_sync __ballot_sync __activemask __match_ __reduce_ __threadfence __ldg __ldc "
    "__st __nanosleep __trap make_ atomicA atomicS atomicE atomicM atomicI atomicD atomicC atomicO atomicX tex1D tex2D "
    "tex3D surf1D surf2D surf3D";

bool is_plain_function(std::string_view name) {
  const bool is_of_float = name.ends_with('f') && has_word(numeric_functions, name.substr(0, name.size() - 1));
  return has_word(numeric_functions, name) || is_of_float || has_word(plain_functions, name) ||
         begins_with_any(name, plain_beginnings) || vector_size(name) > 0;
}

/// Of a name in the namespace `scope`, which the source writes behind `prefix`.
std::string advice_in(std::string_view scope, const std::string& prefix, std::string_view name, std::string_view source,
                      std::size_t at) {
  if (std::string removed = removed_member_advice(scope, name); !removed.empty()) return removed;
  std::vector<std::string> candidates;
  for (const NamespaceMembers& each : known_members) {
    if (each.scope != scope) continue;
    if (has_word(each.names, name))
      return missing_header(prefix + std::string(name), std::string(each.header), source, at);
    for (std::string& known_name : split(each.names, ' ')) candidates.push_back(std::move(known_name));
  }
  if (is_plain_function(name) && !prefix.empty())
    return "CUDA's " + std::string(name) + " is in no namespace: write " + std::string(name) + ", without " + prefix +
           ".";
  const std::string similar = similar_name(name, candidates);
  return similar.empty() ? std::string()
                         : "Did you mean " + in_quotes(prefix + similar) + " instead of " +
                               in_quotes(prefix + std::string(name)) + "?";
}

}  // namespace

bool is_of_no_namespace(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return colons != std::string_view::npos && member_header(name).empty() &&
         is_plain_function(name.substr(colons + 2)) && has_word("std cuda cuda::std thrust", name.substr(0, colons));
}

std::string member_header(std::string_view name) {
  const std::size_t colons = std::min(name.rfind("::"), name.size());
  for (const NamespaceMembers& each : known_members)
    if (each.scope == name.substr(0, colons) && has_word(each.names, name.substr(std::min(colons + 2, name.size()))))
      return std::string(each.header);
  return {};
}

std::string namespace_member_advice(std::string_view name, std::string_view source, std::size_t at) {
  const std::size_t colons = name.rfind("::");
  if (colons != std::string_view::npos)
    return advice_in(name.substr(0, colons), std::string(name.substr(0, colons + 2)), name.substr(colons + 2), source,
                     at);
  std::string_view asked;  // Those of one namespace stand together.
  for (const NamespaceMembers& each : known_members) {
    if (each.scope == asked || !contains(source, "using namespace " + std::string(each.scope) + ";")) continue;
    asked = each.scope;
    if (std::string advice = advice_in(asked, {}, name, source, at); !advice.empty()) return advice;
  }
  return {};
}

}  // namespace kiln
