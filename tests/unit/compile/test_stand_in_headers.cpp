// The stand-ins, compiled by the real NVRTC.
#include "compile/stand_ins/stand_in_headers.hpp"
#include "loop_step.hpp"
#include "toolkit/locate/toolkit.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"

#include <doctest/doctest.h>
#include <kiln/compile.hpp>
#include <kiln/error.hpp>
#include <kiln/nvrtc.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace stand_in_headers_test {

using namespace kiln;

namespace {

CompilerJob job(std::string source, std::vector<std::string> options = {}) {
  CompilerJob made;
  made.source = std::move(source);
  made.name = "kernel.cu";
  made.arch = "sm_80";
  made.arguments = std::move(options);
  made.headers = stand_in_headers();
  return made;
}

CompilerOutput compile_text(const std::string& source, const std::vector<std::string>& options = {}) {
  return compile_with_nvrtc(NvrtcLibrary::get(), job(source, options));
}

/// Throws where something is refused, and fails where something is warned of.
void check_clean(const std::string& source, const std::vector<std::string>& options = {}) {
  CAPTURE(source);
  try {
    CHECK(compile_text(source, options).log == "");
  } catch (const CompileError& error) {
    FAIL_CHECK(error.log());
  }
}

/// Without libcu++, and to be included anywhere.
bool is_light(const std::string& name) {
  return name.find("pycuda") == std::string::npos && name.find("cupy/") == std::string::npos &&
         name.find("kiln_complex_") == std::string::npos;
}

}  // namespace

TEST_CASE("each header compiles alone, twice, in every dialect, and inside extern \"C\"") {
  test::Turns turns(3);
  for (const auto& header : stand_in_headers()) {
    if (!is_light(header.first)) continue;
    const std::string include = "#include <" + header.first + ">\n";
    for (const char* const dialect : {"-std=c++14", "-std=c++17", "-std=c++20"})
      if (turns.next()) check_clean(include + include + "__global__ void k() {}", {dialect});
    if (turns.next()) check_clean("extern \"C\" {\n" + include + "__global__ void k() {}\n}");
  }
}

TEST_CASE("all together, in both orders") {
  std::string forward, backward;
  for (const auto& header : stand_in_headers()) {
    if (!is_light(header.first)) continue;
    const std::string include = "#include <" + header.first + ">\n";
    forward += include;
    backward.insert(0, include);
  }
  check_clean(forward);
  check_clean(backward);
}

TEST_CASE("what the C headers promise") {
  check_clean(R"(
#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct Pair { char c; double d; };
static_assert(offsetof(Pair, d) == 8 && sizeof(nullptr_t) == 8, "");
static_assert(sizeof(int8_t) == 1 && sizeof(uint16_t) == 2 && sizeof(int32_t) == 4 && sizeof(uint64_t) == 8 &&
              sizeof(intptr_t) == sizeof(void*), "");
static_assert(INT_MAX == 2147483647 && INT_MIN == -2147483647 - 1 && UINT_MAX == 4294967295u && CHAR_BIT == 8 &&
              LONG_MAX == 9223372036854775807L && ULLONG_MAX == 18446744073709551615ull && SHRT_MIN == -32768, "");
static_assert(INT64_MAX == 9223372036854775807 && UINT8_MAX == 255 && INT64_C(5) == 5 && SIZE_MAX == ULONG_MAX, "");
#if INT64_C(1) + UINT32_C(1) != 2 || UINT64_MAX < INT_MAX || LONG_MIN > 0
#error "no constants for the preprocessor"
#endif
static_assert(FLT_MAX > 3.4e38f && DBL_EPSILON < 3e-16 && FLT_DIG == 6 && DBL_MIN > 0, "");
static_assert(M_PI > 3.14159 && M_PI < 3.1416 && M_SQRT2 > 1.41, "");
static_assert(INFINITY > FLT_MAX && NAN != NAN && HUGE_VAL > DBL_MAX && -INFINITY < 0, "");
__constant__ float limits[] = {INFINITY, -INFINITY, NAN};
__global__ void k(float* out, int64_t n) {
  assert(n > 0);
  bool ok = true;
  void* p = malloc(8);
  memset(p, 0, 8);
  memcpy(out, p, 8);
  free(p);
  clock_t now = clock();
  printf("%" PRId64 " %" PRIu32 "\n", n, (uint32_t)now);
  out[0] = ok ? sqrtf(2.f) + abs(-2) + fmaxf(limits[0], INFINITY) : EXIT_FAILURE;
}
)");
}

TEST_CASE("what the C++ headers promise") {
  check_clean(R"(
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
enum Small : short { none };
using namespace std;
static_assert(is_same<remove_pointer_t<const int* const>, const int>::value && is_pointer_v<int* const>, "");
static_assert(is_same_v<underlying_type_t<Small>, short> && is_unsigned_v<const unsigned> && is_signed_v<float>, "");
static_assert(!is_signed_v<Small> && is_same_v<common_type_t<int, float, double>, double>, "");
static_assert(is_same_v<decay_t<const int (&)[3]>, const int*> && is_convertible_v<int, double>, "");
static_assert(numeric_limits<int>::min() == -2147483647 - 1 && numeric_limits<int>::digits10 == 9, "");
static_assert(numeric_limits<unsigned long long>::max() == ~0ull && numeric_limits<bool>::digits == 1, "");
static_assert(numeric_limits<signed char>::max() == 127 && numeric_limits<unsigned short>::max() == 65535, "");
static_assert(numeric_limits<float>::infinity() > numeric_limits<float>::max(), "");
static_assert(numeric_limits<double>::lowest() < -1e308 && !numeric_limits<Small>::is_specialized, "");
static_assert(is_same_v<make_index_sequence<3>, index_sequence<0, 1, 2>>, "");
static_assert(sizeof(array<int, 4>) == 16 && sizeof(pair<char, double>) == 16, "");
__global__ void k(float* out, array<int, 4> a, pair<int, double> p, std::uint64_t n) {
  swap(a[0], a[1]);
  out[0] = std::max(out[1], out[2]) + std::min(2, a[3]) + clamp(3, 1, 2) + exchange(p.first, 2) + std::sqrt(out[3]);
  out[4] = std::pow(out[1], 2.0) + std::fabs(out[2]) + std::move(out[5]) + make_pair(1, 2.f).second;
  for (int v : a) out[5] += v;
  std::memcpy(out, &n, sizeof n);
  std::printf("%d\n", a[0]);
}
)");
}

TEST_CASE("a user's own specialisation and typedefs stand beside them") {
  check_clean(R"(
#include <limits>
#include <stdint.h>
#include <sys/types.h>
struct Mine { float v; };
namespace std { template <> struct numeric_limits<Mine> { static constexpr int digits = 3; }; }
static_assert(std::numeric_limits<Mine>::digits == 3, "");
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef unsigned int uint32_t;
__global__ void k(uint* a, ushort b, ulong c, uint32_t d) { a[0] = b + c + d; }
)");
}

TEST_CASE("what nvcc includes before every source") {
  const std::vector<std::string> options = {std::string("--pre-include=") + legacy_header};
  check_clean(R"(
typedef unsigned int uint;
__global__ void k(double* out, uint n, ushort s, ulong l, uint32_t w, float x) {
  out[0] = M_PI + INT_MAX + INFINITY + std::sqrt(x) + std::abs(-2) + sizeof(std::size_t) + s + l + w;
  out[1] = pow(x, 2.0) + pow(2, 3) + pow(n, 2) + pow(1.0, 2.f) + pow(x, 2);
}
)",
              options);
  static_assert(std::string_view(legacy_header) == "kiln_legacy.h");
  for (const char* const name : {"uint", "ushort", "ulong", "uint32_t", "M_PI", "INT_MAX", "NAN", "sqrt", "offsetof"})
    CHECK_MESSAGE(is_legacy_name(name), name);
  for (const char* const name : {"", "uchar", "FLT_MAX", "vector", "uin"})
    CHECK_FALSE_MESSAGE(is_legacy_name(name), name);
}

TEST_CASE("cuComplex.h has all that the toolkit's header has") {
  check_clean(R"(
#include <cuComplex.h>
static_assert(sizeof(cuComplex) == 8 && alignof(cuFloatComplex) == 8 && alignof(cuDoubleComplex) == 16, "");
__global__ void k(cuFloatComplex* f, cuDoubleComplex* d, float2 two, double2 pair) {
  cuComplex z = make_cuComplex(cuCrealf(*f), cuCimagf(*f)), w = make_cuFloatComplex(cuCabsf(z), 1.f);
  *f = cuCfmaf(cuCaddf(z, two), cuCsubf(z, w), cuCdivf(cuCmulf(z, w), cuConjf(w)));
  cuDoubleComplex p = make_cuDoubleComplex(cuCreal(*d), cuCimag(*d)), q = cuComplexFloatToDouble(z);
  *d = cuCfma(cuCadd(p, pair), cuCsub(p, q), cuCdiv(cuCmul(p, q), cuConj(q)));
  d->x += cuCabs(p);
  f[1] = cuComplexDoubleToFloat(q);
}
)");
  for (const char* const name : {"cuComplex", "cuCadd", "make_cuFloatComplex", "cuComplexFloatToDouble"})
    CHECK_MESSAGE(is_cucomplex_name(name), name);
  for (const char* const name : {"", "cu", "hypot", "float2", "cuCmull", "CU_COMPLEX_H_", "z"})
    CHECK_FALSE_MESSAGE(is_cucomplex_name(name), name);
}

TEST_CASE("numeric_limits costs a cubin nothing") {
  const std::size_t bare = compile_text("__global__ void k() {}").code.size();
  CHECK(compile_text("#include <limits>\n__global__ void k() {}").code.size() < bare + 4096);
}

TEST_CASE("NDEBUG in the source silences assert") {
  const std::string kernel = "#include <cassert>\n__global__ void k(int* a) { assert(*a); }";
  CHECK(compile_text(kernel).code.find("__assertfail") != std::string::npos);
  CHECK(compile_text("#define NDEBUG\n" + kernel).code.find("__assertfail") == std::string::npos);
  CHECK(compile_text(kernel, {"-DNDEBUG"}).code.find("__assertfail") == std::string::npos);
}

TEST_CASE("they stand beside libcu++, which declares the same names for NVRTC") {
  const std::vector<std::string> folders = current_toolkit().include_dirs;
  const auto has_libcudacxx = [](const std::string& folder) {
    return std::filesystem::exists(folder + "/cuda/std/cmath");
  };
  if (std::none_of(folders.begin(), folders.end(), has_libcudacxx)) {
    MESSAGE("skipped: no libcu++ beside this NVRTC");
    return;
  }
  std::vector<std::string> options;
  for (const std::string& folder : folders) options.push_back("-I" + folder);
  const std::string ours = "#include <kiln_legacy.h>\n#include <limits>\n#include <utility>\n#include <cstddef>\n";
  const std::string theirs =
      "#include <cuda/std/cmath>\n#include <cuda/std/cstdint>\n#include <cuda/std/climits>\n"
      "#include <cuda/std/limits>\n#include <cuda/std/utility>\n#include <cuda/std/cstddef>\n";
  const std::string kernel = "__global__ void k(uint64_t* a) { a[0] = INT64_MAX; }";
  check_clean(theirs + ours + kernel, options);
  options.push_back(std::string("-D") + long_long_int64);
  check_clean(ours + theirs + kernel, options);

  check_clean(R"(
#include <pycuda-helpers.hpp>
typedef pycuda::complex<float> cf;
typedef pycuda::complex<double> cd;
static_assert(sizeof(cf) == 8 && alignof(cf) == 4 && sizeof(cd) == 16 && alignof(cd) == 8, "");
__constant__ cf table[4];
__device__ cd start(3.0, 4.0);
extern __shared__ cd dynamic_tile[];
__device__ void halve(volatile cf* s, int t) { s[t] = s[t] + s[t + 1]; s[t] = s[t] * s[t]; s[t] = 1.f; }
extern "C" __global__ void k(float* out, cf* a, cd* b, cf by_value, int n) {
  __shared__ cf tile[64];
  cf zero, z = by_value;
  tile[threadIdx.x] = z;
  z += 2.f; z *= cf(1, 2); z /= z; z -= cf(1); z = 2.0 * z * 2; z = 1 / z; z = 1 - z / 3; z = -z; z = +z;
  cd w = z; w += z; w = w * z + start; w = z / w;
  cf narrow(w); narrow = w; narrow = 3;
  z = pow(z, 2) + pow(2.f, z) + pow(z, z) + sqrt(z) + exp(z) + log(z) + log10(z) + sin(z) + cos(z) + tan(z);
  z += sinh(z) + cosh(z) + tanh(z) + pycuda::polar(1.f, 2.f) + conj(z) + narrow;
  out[0] = real(z) + imag(z) + pycuda::abs(z) + arg(z) + norm(z) + z.real() + z._M_im;
  out[1] = (z == zero) + (z == 1.f) + (1.f != z) + (z != 1) + zero.real() + table[n].imag() + dynamic_tile[n].real();
  halve(tile, n);
  a[0] = z; b[0] = w;
}
)",
              options);

  check_clean(R"(
#include <cuComplex.h>
#include <cupy/complex.cuh>
typedef complex<float> cf;
typedef thrust::complex<double> cd;
static_assert(sizeof(cf) == 8 && alignof(cf) == 8 && sizeof(cd) == 16 && alignof(cd) == 16, "");
__constant__ cf table[4];
extern __shared__ cd dynamic_tile[];
__device__ void halve(volatile cf* s, int t) { s[t].real(s[t].real() / 2); s[t].imag(s[t].imag() / 2); }
extern "C" __global__ void k(float* out, cf* a, cd* b, cf by_value, int n) {
  __shared__ cf tile[64];
  cf zero(0), z = by_value;
  tile[threadIdx.x] = z;
  z += 2.f; z *= cf(1, 2); z /= z; z -= cf(1); z = 2.0 * z * 2; z = 1 / z; z = 1 - z / 3; z = -z; z = +z;
  cd w = z; w += z; w = w * z + table[n]; w = z / w; w = pow(w, z);
  cf narrow(w); narrow = w; narrow = 3; narrow.real(1); narrow.imag(2);
  z = pow(z, 2) + pow(2.f, z) + pow(z, z) + sqrt(z) + exp(z) + log(z) + log10(z) + sin(z) + cos(z) + tan(z);
  z += sinh(z) + cosh(z) + tanh(z) + thrust::polar(1.f, 2.f) + conj(z) + narrow + proj(z);
  z += asin(z) + acos(z) + atan(z) + asinh(z) + acosh(z) + atanh(z) + log1p(z) + log2(z) + expm1(z) + rint(z);
  z = isnan(z) || isinf(z) || !isfinite(z) ? min(z, narrow) : max(z, narrow);
  out[0] = real(z) + imag(z) + thrust::abs(z) + arg(z) + norm(z) + z.real();
  out[1] = (z == zero) + (z == 1.f) + (1.f != z) + (z != 1) + zero.real() + dynamic_tile[n].real();
  halve(tile, n);
  z = cuCmulf(z, narrow);
  float2 two = z;
  a[0] = z; b[0] = cuCadd(w, make_cuDoubleComplex(two.x, two.y));
}
)",
              options);
}

TEST_CASE("complex numbers of an older C++ say what they need, where CUDA's own need it") {
  const bool refuses = nvrtc::version() >= std::pair(13, 0);
  for (const std::string header : {"cupy/complex.cuh", "pycuda-complex.hpp"}) {
    const std::string text = "#include <" + header + ">\n__global__ void k() {}";
    const CompileOptions options = CompileOptions{}.with_arch("sm_90").with_cache(false).with_options({"-std=c++14"});
    if (refuses)
      CHECK_THROWS_WITH_AS(compile(text, options), doctest::Contains("need C++17 with CUDA 13: leave the option -std"),
                           CompileError);
    else
      CHECK_NOTHROW(compile(text, options));
  }
}

TEST_CASE("which of them nvcc lacks") {
  CHECK(nvcc_has("stdint.h"));
  CHECK(nvcc_has("cmath"));
  CHECK_FALSE(nvcc_has("pycuda-complex.hpp"));
  CHECK_FALSE(nvcc_has("pycuda-helpers.hpp"));
  CHECK_FALSE(nvcc_has("cupy/complex.cuh"));
  CHECK(nvcc_has("cuComplex.h"));
  CHECK_FALSE(nvcc_has(legacy_header));
  CHECK(stand_in_version().size() == 16);
}

}  // namespace stand_in_headers_test
