// Logs of the real NVRTC, read for what another try can give.
#include "compile/stand_ins/stand_in_headers.hpp"
#include "worker/nvrtc/diagnosis.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>

namespace remedy_test {

using namespace kiln;

namespace {

std::string log_of(const std::string& source, const std::vector<std::string>& options) {
  CompilerJob job;
  job.source = source;
  job.name = "kernel.cu";
  job.arch = "sm_80";
  job.arguments = options;
  job.headers = stand_in_headers();
  try {
    compile_with_nvrtc(NvrtcLibrary::get(), job);
  } catch (const CompileError& error) {
    return error.log();
  }
  return {};
}

Diagnosis diagnosis_of(const std::string& source, const std::vector<std::string>& options = {}) {
  const std::string log = log_of(source, options);
  CHECK_FALSE(log.empty());
  return diagnose(log);
}

}  // namespace

TEST_CASE("the header that is missing, as the source spells it") {
  CHECK(diagnosis_of("#include <vector>\n").missing_header == "vector");  // other words: there is no folder to look in
  CHECK(diagnosis_of("#include <vector>\n", {"-I/"}).missing_header == "vector");
  CHECK(diagnosis_of("#include \"sys/time.h\"\n").missing_header == "sys/time.h");
  CHECK(diagnosis_of("#include \"mine/\u00fc b.h\"\n").missing_header == "mine/\u00fc b.h");
  const Diagnosis other = diagnosis_of("__global__ void k() { nonsense; }");
  CHECK_FALSE(other.missing_header);
  CHECK_FALSE(other.legacy_names);
  CHECK_FALSE(other.default_device);
}

TEST_CASE("names that nvcc's own headers declare") {
  for (const char* const use : {"uint i = 0; *a = i;", "*a = sizeof(ushort);", "*a = M_PI;", "*a = INT_MAX;",
                                "*a = INFINITY;", "*a = (uint32_t)*a;", "*a = std::sqrt(*a);", "*a = pow(*a, 2.0);",
                                "*a = std::abs(-2);", "std::size_t n = 1; *a = n;"}) {
    CAPTURE(use);
    CHECK(diagnosis_of(std::string("__global__ void k(float* a) { ") + use + " }").legacy_names);
  }
  CHECK(diagnosis_of("__global__ void k(uint n) {}").legacy_names);
  CHECK(diagnosis_of("__constant__ uint table[3];").legacy_names);
  CHECK(diagnosis_of("typedef uint mine;").legacy_names);
  for (const char* const use : {"my_uint i;", "FLT_MAX;", "std::vector<int> v;", "sin(2);"}) {
    CAPTURE(use);
    CHECK_FALSE(diagnosis_of(std::string("__global__ void k(float* a) { ") + use + " }").legacy_names);
  }
}

TEST_CASE("names of std that nvcc's own headers declare") {
  for (const char* const use : {"*a = std::is_same<int, float>::value;", "*a = std::numeric_limits<float>::max();",
                                "*a = std::min(1, 2);", "std::pair<int, int> p;"}) {
    CAPTURE(use);
    CHECK(diagnosis_of(std::string("__global__ void k(float* a) { ") + use + " }").legacy_std_names);
  }
  CHECK_FALSE(diagnosis_of("__global__ void k(float* a) { std::vector<int> v; }").legacy_std_names);
}

TEST_CASE("what nvcc takes and NVRTC's errors name") {
  CHECK(diagnosis_of("struct P { int n; int v[]; };").extension == "arrays without a size at a struct's end");
  CHECK(diagnosis_of("struct P { int n; int v[0]; };").extension == "arrays of size zero");
  CHECK(diagnosis_of("struct P { static const float x = 1; };").extension ==
        "values of static floating-point members within their class");
  CHECK(diagnosis_of("__global__ void k(void* p) { p = p + 4; }").extension == "arithmetic with void*");
  CHECK(diagnosis_of("__global__ void k(float* p) { *p = __builtin_sqrtf(*p); }").extension ==
        "the host compiler's functions of the name __builtin_...");
  CHECK(diagnosis_of("__global__ void k(float* p) { *p = *q; }").extension.empty());
}

TEST_CASE("a program's own refusal") {
  CHECK(diagnosis_of("#error stop").is_meant);
  CHECK(diagnosis_of("static_assert(sizeof(int) == 8, \"stop\");").is_meant);
  CHECK_FALSE(diagnosis_of("__global__ void k() { nonsense; }").is_meant);
}

TEST_CASE("names of cuComplex.h") {
  CHECK(diagnosis_of("__global__ void k(cuComplex* a) {}").cucomplex_names);
  CHECK(diagnosis_of("__global__ void k(double2* a) { *a = cuCadd(*a, *a); }").cucomplex_names);
  CHECK(diagnose_nvcc("k.cu(1): error: identifier \"cuCadd\" is undefined\n").cucomplex_names);
  CHECK_FALSE(diagnosis_of("__global__ void k(double2* a) { *a = cuCsum(*a, *a); }").cucomplex_names);
  CHECK_FALSE(diagnose("k.cu(1): warning: identifier \"cuCadd\" is undefined\n").cucomplex_names);
}

TEST_CASE("what only a whole C++ library has") {
  CHECK(diagnosis_of("#include <type_traits>\nstatic_assert(std::is_invocable_v<int>, \"\");").lacks_std);
  CHECK(diagnosis_of("#include <array>\n__global__ void k(int* a, std::array<int, 2> b) { *a = b.at(1); }").lacks_std);
  CHECK(diagnosis_of("#include <array>\n__device__ std::array<int, 0> empty;").lacks_std);
  CHECK(diagnosis_of("#include <algorithm>\n__global__ void k(int* a) { std::sort(a, a + 2); }").lacks_std);
  CHECK_FALSE(diagnosis_of("namespace mine {}\n__global__ void k(int* a) { mine::sort(a); }").lacks_std);
  CHECK_FALSE(diagnosis_of("#include <stdint.h>\n__global__ void k(int* a) { nonsense; }").lacks_std);
  CHECK_FALSE(diagnosis_of("__global__ void k(float* a) { *a = std::sqrt(*a); }").lacks_std);
}

TEST_CASE("what has no __device__") {
  CHECK(diagnosis_of("int half(int n) { return n / 2; }").default_device);
  CHECK(diagnosis_of("int counter = 3;").default_device);
  CHECK(diagnosis_of("template <class T> T same(T a) { return a; }").default_device);
  CHECK(diagnosis_of("struct A { A() {} }; A a;").default_device);
}

TEST_CASE("a byte order mark that NVRTC takes for text") {
  CHECK(diagnosis_of("\n\xEF\xBB\xBF#define A 1\n__global__ void k(int* a) { *a = A; }").byte_order_mark);
  CHECK_FALSE(diagnosis_of("\n\xEF\xBB#define A 1\n__global__ void k(int* a) { *a = A; }").byte_order_mark);
}

TEST_CASE("a syntax error is the first one: others follow from what came before") {
  CHECK(diagnosis_of("__global__ void k() { int x = 1 }").is_syntax_error);
  CHECK_FALSE(diagnosis_of("void usage(FILE* file) { file->x = 1; }").is_syntax_error);
}

TEST_CASE("several at once") {
  const Diagnosis diagnosis = diagnosis_of("uint half(int n) { return n / 2; }\nint f(int n) { return n; }\n");
  CHECK(diagnosis.legacy_names);
  CHECK(diagnosis.default_device);
}

TEST_CASE("a warning is no reason") {
  const Diagnosis diagnosis = diagnose("kernel.cu(1): warning #20-D: identifier \"uint\" is undefined\n");
  CHECK_FALSE(diagnosis.legacy_names);
}

TEST_CASE("logs that break off, or are empty") {
  for (const char* const log : {"", "\n", "error: ", "error: identifier \"", "error: identifier \"uint",
                                "error: cannot open source file \"", "error: cannot open source file \"a"})
    CHECK_FALSE(diagnose(log).legacy_names);
  CHECK_FALSE(diagnose("error: cannot open source file \"a").missing_header);
  CHECK(diagnose("error: cannot open source file \"a\"").missing_header == "a");
}

TEST_CASE("the standard headers") {
  for (const char* const name : {"vector",    "iostream", "algorithm", "string",  "version",  "stdio.h",    "cstdio",
                                 "math.h",    "cmath",    "uchar.h",   "cwctype", "unistd.h", "sys/time.h", "aio.h",
                                 "wordexp.h", "complex",  "complex.h", "any",     "assert.h", "time.h"}) {
    CAPTURE(name);
    CHECK(is_standard_header(name));
  }
  for (const char* const name : {"", "c", ".h", "vector.h", "stdio", "my.h", "cuda_fp16.h", "cub/cub.cuh", "Vector",
                                 "sys/", "cvector", "boost/any.hpp", "iostream "}) {
    CAPTURE(name);
    CHECK_FALSE(is_standard_header(name));
  }
}

}  // namespace remedy_test
