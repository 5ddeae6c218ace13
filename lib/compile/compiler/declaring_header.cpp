#include "compile/compiler/declaring_header.hpp"

#include "base/text_parts.hpp"
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
    {"FLT_MAX FLT_MIN FLT_EPSILON FLT_TRUE_MIN FLT_DIG FLT_MANT_DIG FLT_MAX_EXP FLT_MIN_EXP FLT_RADIX DBL_MAX DBL_MIN "
     "DBL_EPSILON DBL_TRUE_MIN DBL_DIG DBL_MANT_DIG DBL_MAX_EXP DBL_MIN_EXP",
     "", "<cfloat>"},
    {"CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX SHRT_MAX SHRT_MIN USHRT_MAX INT_MAX INT_MIN UINT_MAX "
     "LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX",
     "", "<climits>"},
    {"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t INT8_MAX INT8_MIN INT16_MAX "
     "INT16_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX",
     "", "<cstdint>"},
    {"M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_E M_LN2 M_LN10 M_LOG2E M_LOG10E M_SQRT2 M_SQRT1_2 HUGE_VAL "
     "HUGE_VALF "
     "INFINITY NAN",
     "", "<cmath>"},
    {"assert", "", "<cassert>"},
    {"cuFloatComplex cuDoubleComplex cuComplex make_cuFloatComplex make_cuDoubleComplex make_cuComplex",
     "cuCadd cuCsub cuCmul cuCdiv cuCabs cuConj cuCreal cuCimag cuCfma", "<cuComplex.h>"},
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

/// The number of the first line that includes the header, and its offset; 0 where none does.
int including_line(std::string_view source, std::string_view header, std::size_t& offset) {
  const std::string_view all = source;
  for (int number = 1; !source.empty(); ++number) {
    offset = all.size() - source.size();
    std::string_view row = trimmed(next_line(source));
    if (!row.starts_with('#')) continue;
    row = trimmed(row.substr(1));
    if (!row.starts_with("include")) continue;
    for (const char* const quotes : {"<>", "\"\""})
      if (contains(row, quotes[0] + std::string(header) + quotes[1])) return number;
  }
  return 0;
}

}  // namespace

std::string missing_header(std::string_view name, const std::string& header, std::string_view source, std::size_t at) {
  if (header.empty()) return {};
  const std::string quoted = "\"" + std::string(name) + "\"";
  std::size_t offset = 0;
  const std::string file = header.substr(1, header.find('>') - 1);
  const int line = including_line(source, file, offset);
  if (line == 0) return quoted + " is declared by a header: #include " + header + ".";
  if (at == std::string_view::npos || offset < at || contains(source, "#line")) return {};
  return quoted + " is declared by <" + file + ">, which is included below, in line " + std::to_string(line) +
         ": move that #include above.";
}

std::string declaring_header(std::string_view name) {
  for (const Declared& one : declared)
    if (has_word(one.names, name) || begins_with_any(name, one.beginnings)) return std::string(one.header);
  return {};
}

}  // namespace kiln
