#include "compile/compiler/advice.hpp"

#include "base/word_list.hpp"

namespace kiln {

namespace {

struct Removed {
  std::string_view names;
  std::string_view instead;
  std::string_view header = {};
};

constexpr std::string_view with_functional = "<cuda/std/functional>";
constexpr std::string_view with_traits = "<cuda/std/type_traits>";
constexpr std::string_view with_ptx = "<cuda/ptx>";

constexpr Removed of_cub[] = {
    {"Max", "cuda::maximum<>", "<cuda/functional>"},
    {"Min", "cuda::minimum<>", "<cuda/functional>"},
    {"Sum", "cuda::std::plus<>", with_functional},
    {"Difference", "cuda::std::minus<>", with_functional},
    {"Division", "cuda::std::divides<>", with_functional},
    {"Equality", "cuda::std::equal_to<>", with_functional},
    {"Inequality", "cuda::std::not_equal_to<>", with_functional},
    {"CountingInputIterator", "thrust::counting_iterator<T>", "<thrust/iterator/counting_iterator.h>"},
    {"ConstantInputIterator", "thrust::constant_iterator<T>", "<thrust/iterator/constant_iterator.h>"},
    {"TransformInputIterator", "thrust::transform_iterator<Function, Iterator>",
     "<thrust/iterator/transform_iterator.h>"},
    {"DiscardOutputIterator", "thrust::discard_iterator<>", "<thrust/iterator/discard_iterator.h>"},
    {"TexRefInputIterator", "cub::TexObjInputIterator<T>", "<cub/iterator/tex_obj_input_iterator.cuh>"},
    {"Int2Type", "cuda::std::integral_constant<int, N>", with_traits},
    {"If", "cuda::std::conditional_t<condition, A, B>", with_traits},
    {"Equals", "cuda::std::is_same<A, B>", with_traits},
    {"IsPointer", "cuda::std::is_pointer<T>", with_traits},
    {"IsVolatile", "cuda::std::is_volatile<T>", with_traits},
    {"RemoveQualifiers", "cuda::std::remove_cv<T>", with_traits},
    {"EnableIf", "cuda::std::enable_if<condition, T>", with_traits},
    {"ArrayWrapper", "cuda::std::array<T, N>", "<cuda/std/array>"},
    {"Swap", "cuda::std::swap(a, b)", "<cuda/std/utility>"},
    {"DivideAndRoundUp", "cuda::ceil_div(a, b)", "<cuda/cmath>"},
    {"GridBarrier", "cooperative_groups::this_grid().sync()", "<cooperative_groups.h>"},
    {"LaneId", "cuda::ptx::get_sreg_laneid()", with_ptx},
    {"WarpId", "cuda::ptx::get_sreg_warpid()", with_ptx},
    {"LaneMaskLt", "cuda::ptx::get_sreg_lanemask_lt()", with_ptx},
    {"LaneMaskLe", "cuda::ptx::get_sreg_lanemask_le()", with_ptx},
    {"LaneMaskGt", "cuda::ptx::get_sreg_lanemask_gt()", with_ptx},
    {"LaneMaskGe", "cuda::ptx::get_sreg_lanemask_ge()", with_ptx},
    {"CTA_SYNC", "__syncthreads()"},
    {"CTA_SYNC_AND", "__syncthreads_and(p)"},
    {"CTA_SYNC_OR", "__syncthreads_or(p)"},
    {"WARP_SYNC", "__syncwarp(mask)"},
    {"WARP_ANY", "__any_sync(mask, p)"},
    {"WARP_ALL", "__all_sync(mask, p)"},
    {"WARP_BALLOT", "__ballot_sync(mask, p)"},
    {"SHFL_IDX_SYNC", "__shfl_sync(mask, value, lane)"},
    {"ThreadTrap", "__trap()"},
    {"PRMT", "__byte_perm(a, b, selector)"},
    {"SHR_ADD", "(x >> shift) + addend"},
    {"SHL_ADD", "(x << shift) + addend"},
    {"IADD3", "x + y + z"},
    {"FMUL_RZ", "__fmul_rz(a, b)"},
    {"FFMA_RZ", "__fmaf_rz(a, b, c)"},
};

/// Names that CUB never had, and that are often guessed.
constexpr Removed guessed_of_cub[] = {
    {"Maximum maximum max", "cuda::maximum<>", "<cuda/functional>"},
    {"Minimum minimum min", "cuda::minimum<>", "<cuda/functional>"},
    {"Add Plus plus", "cuda::std::plus<>", with_functional},
    {"Multiply Multiplies multiplies Product", "cuda::std::multiplies<>", with_functional},
};

constexpr Removed of_thrust[] = {
    {"unary_function binary_function", "the struct without that base: its operator() is enough"},
    {"not1 not2", "cuda::std::not_fn(f)", with_functional},
    {"optional", "cuda::std::optional<T>", "<cuda/std/optional>"},
    {"nullopt", "cuda::std::nullopt", "<cuda/std/optional>"},
    {"make_optional", "cuda::std::make_optional(x)", "<cuda/std/optional>"},
};

constexpr Removed of_groups[] = {
    {"this_multi_grid multi_grid_group", "this_grid(), as there are no groups of several devices any more",
     "<cooperative_groups.h>"},
};

template <std::size_t size>
const Removed* found_in(const Removed (&all)[size], std::string_view name) {
  for (const Removed& one : all)
    if (has_word(one.names, name)) return &one;
  return nullptr;
}

}  // namespace

std::string removed_member_advice(std::string_view scope, std::string_view name) {
  const Removed* const found = scope == "cub"                  ? found_in(of_cub, name)
                               : scope == "thrust"             ? found_in(of_thrust, name)
                               : scope == "cooperative_groups" ? found_in(of_groups, name)
                                                               : nullptr;
  const Removed* const guessed = scope == "cub" && found == nullptr ? found_in(guessed_of_cub, name) : nullptr;
  const Removed* const one = found != nullptr ? found : guessed;
  if (one == nullptr) return {};
  const std::string begin = guessed != nullptr ? "There is no " : "CUDA 13 removed ";
  const std::string header = one->header.empty() ? "" : " of " + std::string(one->header);
  return begin + std::string(scope) + "::" + std::string(name) + ": write " + std::string(one->instead) + header + ".";
}

}  // namespace kiln
