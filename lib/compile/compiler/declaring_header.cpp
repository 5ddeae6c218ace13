#include "compile/compiler/declaring_header.hpp"

#include "base/word_list.hpp"

namespace kiln {

namespace {

struct Declared {
  std::string_view names;       // whole names
  std::string_view beginnings;  // of names
  std::string_view header;
};

constexpr Declared declared[] = {
    {"half half2 __low2float __high2float __low2half __high2half __lows2half2 __highs2half2 h2div hexp hlog hsqrt "
     "hrsqrt",
     "__half __float2half __floats2half __double2half __int2half __hadd __hsub __hmul __hdiv __hfma __hneg __hlt "
     "__hgt __hmax __hmin",
     "<cuda_fp16.h>"},
    {"", "__nv_bfloat nv_bfloat __float2bfloat __floats2bfloat __bfloat", "<cuda_bf16.h>"},
    {"", "__nv_fp8", "<cuda_fp8.h>"},
    {"", "__nv_fp6", "<cuda_fp6.h>"},
    {"", "__nv_fp4", "<cuda_fp4.h>"},
    {"", "curand", "<curand_kernel.h>"},
    {"cooperative_groups cg", "", "<cooperative_groups.h>"},
    {"nvcuda wmma", "", "<mma.h>"},
    {"CUtensorMap CUdeviceptr", "", "<cuda.h>"},
    {"", "__pipeline_", "<cuda_pipeline.h>"},
    {"", "CUDART_", "<math_constants.h>"},
    {"cub", "", "<cub/cub.cuh>"},
    {"pycuda", "", "<pycuda-complex.hpp>"},
    {"complex", "",
     "<pycuda-complex.hpp>, and write pycuda::complex; or <cuda/std/complex>, and write cuda::std::complex"},
    {"std::array", "", "<array>"},
    {"std::numeric_limits", "", "<limits>"},
    {"std::swap std::move std::forward std::exchange std::pair std::make_pair std::declval", "", "<utility>"},
    {"thrust", "", "<thrust/complex.h> or <thrust/functional.h>, whichever has the name"},
    {"cuda", "", "<cuda/std/array>, <cuda/atomic> or <cuda/barrier>, whichever of libcu++'s has the name"},
};

}  // namespace

std::string declaring_header(std::string_view name) {
  for (const Declared& one : declared)
    if (has_word(one.names, name) || begins_with_any(name, one.beginnings)) return std::string(one.header);
  return {};
}

}  // namespace kiln
