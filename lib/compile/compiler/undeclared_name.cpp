#include "compile/compiler/undeclared_name.hpp"

#include "base/identifier.hpp"
#include "base/similar_name.hpp"
#include "base/source_token.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/compiler_log.hpp"
#include "compile/compiler/line_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <vector>

namespace kiln {

namespace {

/// What stands behind a name that is another language's: such names may be variables as well.
enum class Behind { anything, word, call, member };

/// Names of other languages, and what CUDA C++ has instead.
struct Foreign {
  std::string_view names;
  const char* language;
  const char* instead;
  Behind behind = Behind::anything;
};
constexpr std::array foreign_names{
    Foreign{"float32", "NumPy", "float"},
    Foreign{"float64", "NumPy", "double"},
    Foreign{"float16", "NumPy", "half of <cuda_fp16.h>"},
    Foreign{"int8", "NumPy", "signed char"},
    Foreign{"int16", "NumPy", "short"},
    Foreign{"int32", "NumPy", "int"},
    Foreign{"int64", "NumPy", "long long"},
    Foreign{"uint8", "NumPy", "unsigned char"},
    Foreign{"uint16", "NumPy", "unsigned short"},
    Foreign{"uint32", "NumPy", "unsigned int"},
    Foreign{"uint64", "NumPy", "unsigned long long"},
    Foreign{"complex64", "NumPy", "pycuda::complex<float> of <pycuda-complex.hpp>"},
    Foreign{"complex128", "NumPy", "pycuda::complex<double> of <pycuda-complex.hpp>"},
    Foreign{"bool_", "NumPy", "bool"},
    Foreign{"True", "Python", "true"},
    Foreign{"False", "Python", "false"},
    Foreign{"None", "Python", "nullptr"},
    Foreign{"np numpy math cupy", "Python", "functions without a module, such as sqrtf, and constants of your own",
            Behind::member},
    Foreign{"len", "Python", "lengths as arguments of the kernel", Behind::call},
    Foreign{"range", "Python", "for (int i = 0; i < n; ++i)", Behind::call},
    Foreign{"elif", "Python", "else if (condition)", Behind::call},
    Foreign{"self", "Python", "this->, in functions of a struct", Behind::member},
    Foreign{"lambda", "Python", "[=](float x) { return x; }", Behind::word},
    Foreign{"import", "Python", "#include <header> for what headers declare", Behind::word},
    Foreign{"def", "Python", "a function with its types: __device__ float f(float x) { return x; }", Behind::word},
    Foreign{"f32 fp32", "Triton and PyTorch", "float"},
    Foreign{"f64 fp64", "Triton and PyTorch", "double"},
    Foreign{"f16 fp16", "Triton and PyTorch", "half of <cuda_fp16.h>"},
    Foreign{"bf16 bfloat16", "Triton and PyTorch", "__nv_bfloat16 of <cuda_bf16.h>"},
    Foreign{"i32", "Triton and PyTorch", "int"},
    Foreign{"i64", "Triton and PyTorch", "long long"},
    Foreign{"u32", "Triton and PyTorch", "unsigned int"},
    Foreign{"u64", "Triton and PyTorch", "unsigned long long"},
    Foreign{"CArray CIndexer", "CuPy", "pointers and sizes: take float* x and int n"},
    Foreign{"CUPY_FOR", "CuPy",
            "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)"},
    Foreign{"hipThreadIdx_x", "HIP", "threadIdx.x"},
    Foreign{"hipBlockIdx_x", "HIP", "blockIdx.x"},
    Foreign{"hipBlockDim_x", "HIP", "blockDim.x"},
    Foreign{"hipGridDim_x", "HIP", "gridDim.x"},
    Foreign{"hipThreadIdx_y hipThreadIdx_z hipBlockIdx_y hipBlockIdx_z hipBlockDim_y hipBlockDim_z hipGridDim_y "
            "hipGridDim_z",
            "HIP", "threadIdx, blockIdx, blockDim and gridDim with the members x, y and z"},
    Foreign{"HIP_DYNAMIC_SHARED", "HIP", "extern __shared__ float s[]"},
    Foreign{"vec2", "GLSL", "float2, of which make_float2(x, y) makes one"},
    Foreign{"vec3", "GLSL", "float3, of which make_float3(x, y, z) makes one"},
    Foreign{"vec4", "GLSL", "float4, of which make_float4(x, y, z, w) makes one"},
    Foreign{"uchar", "OpenCL", "unsigned char"},
    Foreign{"get_global_id", "OpenCL", "blockIdx.x * blockDim.x + threadIdx.x"},
    Foreign{"get_local_id", "OpenCL", "threadIdx.x"},
    Foreign{"get_group_id", "OpenCL", "blockIdx.x"},
    Foreign{"get_local_size", "OpenCL", "blockDim.x"},
    Foreign{"get_num_groups", "OpenCL", "gridDim.x"},
    Foreign{"get_global_size", "OpenCL", "gridDim.x * blockDim.x"},
    Foreign{"CLK_LOCAL_MEM_FENCE", "OpenCL", "__syncthreads()"},
    Foreign{"__kernel", "OpenCL", "__global__"},
    Foreign{"kernel", "OpenCL", "__global__", Behind::word},
    Foreign{"__local", "OpenCL", "__shared__"},
    Foreign{"local", "OpenCL", "__shared__", Behind::word},
    Foreign{"restrict", "C", "__restrict__"},
};

/// Members of Numba's module cuda, and what CUDA C++ has instead.
struct OfNumba {
  std::string_view members;
  std::string_view instead;
};
constexpr OfNumba members_of_numba[] = {
    {"threadIdx", "threadIdx.x"},
    {"blockIdx", "blockIdx.x"},
    {"blockDim", "blockDim.x"},
    {"gridDim", "gridDim.x"},
    {"grid", "blockIdx.x * blockDim.x + threadIdx.x"},
    {"gridsize", "gridDim.x * blockDim.x"},
    {"laneid", "threadIdx.x % warpSize"},
    {"warpsize", "warpSize"},
    {"syncthreads", "__syncthreads()"},
    {"syncwarp", "__syncwarp()"},
    {"threadfence", "__threadfence()"},
    {"shared", "__shared__ float s[32]"},
    {"local", "float v[32]"},
    {"const", "__constant__ float c[32], outside of functions"},
    {"atomic", "atomicAdd(&x[i], value) and the like"},
};

/// Names that are often written, of the language, of CUDA and of its mathematical functions. Of names as near, the
/// first is taken.
constexpr std::string_view known_names =
    "float2 float3 float4 double2 double3 double4 int2 int3 int4 uint2 uint3 uint4 uchar4 short2 make_float2 "
    "make_float3 make_float4 make_double2 make_int2 make_int3 make_int4 make_uint4 make_uchar4 dim3 size_t int8_t "
    "int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t INFINITY FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN "
    "DBL_EPSILON INT_MAX INT_MIN UINT_MAX M_PI bool char short int long float double unsigned signed void const "
    "static struct template typename return switch continue break while inline constexpr nullptr true false auto "
    "namespace sizeof threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncwarp __threadfence "
    "__threadfence_block __threadfence_system __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __any_sync "
    "__all_sync __ballot_sync __activemask __match_any_sync __match_all_sync __reduce_add_sync __syncthreads_and "
    "__syncthreads_or __syncthreads_count atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec "
    "atomicCAS atomicAnd atomicOr atomicXor __ldg __popc __popcll __clz __clzll __ffs __ffsll __brev __mul24 __umul24 "
    "__mulhi __umulhi __fdividef __expf __logf __sinf __cosf __powf __float_as_int __int_as_float __float2int_rn "
    "__nanosleep __trap clock64 __launch_bounds__ __restrict__ __forceinline__ __noinline__ __device__ __global__ "
    "__shared__ __constant__ __host__ __managed__ tex1D tex2D tex3D tex1Dfetch tex2DLod tex2DLayered surf1Dread "
    "surf1Dwrite surf2Dread surf2Dwrite surf3Dread surf3Dwrite cudaTextureObject_t cudaSurfaceObject_t printf assert "
    "malloc memcpy memset sqrt sqrtf rsqrt rsqrtf cbrt cbrtf hypot hypotf exp expf exp2f exp10f expm1f log logf log2f "
    "log10f log1pf pow powf sin sinf cos cosf tan tanf asinf acosf atanf atan2 atan2f sinhf coshf tanhf sincos "
    "sincosf erff erfcf tgammaf lgammaf floor floorf ceil ceilf round roundf rintf truncf fmod fmodf fabs fabsf fmin "
    "fminf fmax fmaxf fmaf copysignf isnan isinf isfinite saturate __saturatef";

constexpr std::size_t shortest = 4;  // Shorter names are like too many.

/// Whether the text behind a name begins so.
bool fits(Behind wanted, std::string_view behind) {
  behind = trimmed(behind);
  const char first = behind.empty() ? '\0' : behind.front();
  return wanted == Behind::anything || (wanted == Behind::word && begins_identifier(first)) ||
         (wanted == Behind::call && first == '(') || (wanted == Behind::member && first == '.');
}

std::set<std::string, std::less<>> refused_names(std::string_view log) {
  std::set<std::string, std::less<>> names;
  for (const Diagnostic& error : errors_of(log))
    for (const std::string_view word : quoted_words(error.text)) names.emplace(word);
  return names;
}

/// The words of a source, apart from members behind a dot.
std::vector<std::string> words_of(std::string_view source) {
  std::set<std::string_view> words;
  char before = ' ';
  for (std::size_t at = 0; at < source.size();) {
    const SourceToken token = source_token(source, at);
    if (token.kind == SourceTokenKind::word && before != '.') words.insert(source.substr(at, token.size));
    if (token.kind != SourceTokenKind::blank) before = source[at];
    at += token.size;
  }
  return {words.begin(), words.end()};
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool is_of_macro(char c) { return is_upper(c) || c == '_' || (c >= '0' && c <= '9'); }

/// "__shared__" of "shared", where a word is behind it, and "__syncthreads" of "syncthreads", where a call is.
std::string with_underscores(std::string_view name, std::string_view behind) {
  for (std::string_view rest = known_names; !rest.empty();) {
    const std::string_view known = next_part(rest, ' ');
    const bool is_attribute = known.ends_with("__");
    const std::string_view plain = trimmed(known, "_");
    if (known.starts_with("__") && plain == name && fits(is_attribute ? Behind::word : Behind::call, behind))
      return std::string(known);
  }
  return {};
}

std::string meant_name(std::string_view name, std::string_view source, std::string_view log) {
  if (name.size() < shortest) return {};
  const auto refused = refused_names(log);
  std::vector<std::string> candidates = words_of(source);
  for (std::string_view rest = known_names; !rest.empty();) candidates.emplace_back(next_part(rest, ' '));
  // "size_x" is no slip for "size_t".
  const bool is_no_type = !name.ends_with('t') && !name.ends_with('T');
  std::erase_if(candidates, [&](const std::string& word) {
    return word == name || refused.count(word) != 0 || (is_no_type && word.ends_with("_t"));
  });
  return similar_name(name, candidates);
}

}  // namespace

std::string undeclared_name_advice(std::string_view name, std::string_view source, std::string_view log,
                                   std::string_view behind) {
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (has_word(removed_names, name))
    return "CUDA removed " + quoted + ": write " + std::string(name) +
           "_sync, whose first argument is the mask of the lanes that take part, such as 0xffffffff.";
  for (const Foreign& foreign : foreign_names)
    if (has_word(foreign.names, name) && fits(foreign.behind, behind))
      return quoted + " is of " + foreign.language + ": CUDA C++ has " + foreign.instead + ".";
  const std::string whole = with_underscores(name, behind);
  const std::string meant = whole.empty() ? meant_name(name, source, log) : whole;
  return meant.empty() ? std::string() : "Did you mean \"" + meant + "\" instead of " + quoted + "?";
}

std::string numba_advice(std::string_view name, std::string_view behind) {
  if (name != "cuda" || !fits(Behind::member, behind)) return {};
  const auto words = words_of_line(trimmed(behind).substr(1));
  if (words.empty()) return {};
  const std::string member(words.front());
  std::string instead = "functions and variables without a module";
  for (const OfNumba& each : members_of_numba)
    if (has_word(each.members, member)) instead = each.instead;
  return "\"cuda." + member + "\" is of Numba: CUDA C++ has " + instead + ".";
}

std::string declaration_advice(std::string_view name, std::string_view behind) {
  const std::string word(name);
  behind = trimmed(behind);
  if (behind.starts_with('=') && !behind.starts_with("=="))
    return "\"" + word + "\" is not declared before it is assigned: give it a type, as in auto " + word + " = ....";
  const bool is_macro = std::all_of(name.begin(), name.end(), is_of_macro) && is_upper(name.front());
  if (!is_macro || behind.starts_with("::")) return {};
  if (name.size() == 1)
    return "\"" + word +
           "\" looks like a template's parameter or a macro: write template <...> before the function, or "
           "give it by CompileOptions::defines.";
  return "\"" + word +
         "\" looks like a macro, and none of that name is defined: give it by CompileOptions::defines, "
         "write #define " +
         word + " 16, or declare it.";
}

}  // namespace kiln
