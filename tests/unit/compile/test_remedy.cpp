// Logs of the real NVRTC, read for what another try can give.
#include "compile/nvrtc/nvrtc_compile.hpp"
#include "compile/nvrtc/remedy.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"

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

Remedy remedy_for(const std::string& source, const std::vector<std::string>& options = {}) {
  const std::string log = log_of(source, options);
  CHECK_FALSE(log.empty());
  return read_remedy(log);
}

}  // namespace

TEST_CASE("the header that is missing, as the source spells it") {
  CHECK(remedy_for("#include <vector>\n").missing_header == "vector");  // other words: there is no folder to look in
  CHECK(remedy_for("#include <vector>\n", {"-I/"}).missing_header == "vector");
  CHECK(remedy_for("#include \"sys/time.h\"\n").missing_header == "sys/time.h");
  CHECK(remedy_for("#include \"mine/\u00fc b.h\"\n").missing_header == "mine/\u00fc b.h");
  const Remedy other = remedy_for("__global__ void k() { nonsense; }");
  CHECK_FALSE(other.missing_header);
  CHECK_FALSE(other.legacy_names);
  CHECK_FALSE(other.default_device);
}

TEST_CASE("names that nvcc's own headers declare") {
  for (const char* const use : {"uint i = 0; *a = i;", "*a = sizeof(ushort);", "*a = M_PI;", "*a = INT_MAX;",
                                "*a = INFINITY;", "*a = (uint32_t)*a;", "*a = std::sqrt(*a);", "*a = pow(*a, 2.0);",
                                "*a = std::abs(-2);", "std::size_t n = 1; *a = n;"}) {
    CAPTURE(use);
    CHECK(remedy_for(std::string("__global__ void k(float* a) { ") + use + " }").legacy_names);
  }
  CHECK(remedy_for("__global__ void k(uint n) {}").legacy_names);
  CHECK(remedy_for("__constant__ uint table[3];").legacy_names);
  CHECK(remedy_for("typedef uint mine;").legacy_names);
  for (const char* const use : {"my_uint i;", "FLT_MAX;", "std::vector<int> v;", "sin(2);"}) {
    CAPTURE(use);
    CHECK_FALSE(remedy_for(std::string("__global__ void k(float* a) { ") + use + " }").legacy_names);
  }
}

TEST_CASE("what only a whole C++ library has") {
  CHECK(remedy_for("#include <type_traits>\nstatic_assert(std::is_invocable_v<int>, \"\");").more_of_std);
  CHECK(remedy_for("#include <array>\n__global__ void k(int* a, std::array<int, 2> b) { *a = b.at(1); }").more_of_std);
  CHECK(remedy_for("#include <array>\n__device__ std::array<int, 0> empty;").more_of_std);
  CHECK(remedy_for("#include <algorithm>\n__global__ void k(int* a) { std::sort(a, a + 2); }").more_of_std);
  CHECK_FALSE(remedy_for("namespace mine {}\n__global__ void k(int* a) { mine::sort(a); }").more_of_std);
  CHECK_FALSE(remedy_for("#include <stdint.h>\n__global__ void k(int* a) { nonsense; }").more_of_std);
  CHECK_FALSE(remedy_for("__global__ void k(float* a) { *a = std::sqrt(*a); }").more_of_std);
}

TEST_CASE("what has no __device__") {
  CHECK(remedy_for("int half(int n) { return n / 2; }").default_device);
  CHECK(remedy_for("int counter = 3;").default_device);
  CHECK(remedy_for("template <class T> T same(T a) { return a; }").default_device);
  CHECK(remedy_for("struct A { A() {} }; A a;").default_device);
}

TEST_CASE("a byte order mark that NVRTC takes for text") {
  CHECK(remedy_for("\n\xEF\xBB\xBF#define A 1\n__global__ void k(int* a) { *a = A; }").byte_order_mark);
  CHECK_FALSE(remedy_for("\n\xEF\xBB#define A 1\n__global__ void k(int* a) { *a = A; }").byte_order_mark);
}

TEST_CASE("several at once") {
  const Remedy remedy = remedy_for("uint half(int n) { return n / 2; }\nint f(int n) { return n; }\n");
  CHECK(remedy.legacy_names);
  CHECK(remedy.default_device);
}

TEST_CASE("a warning is no reason") {
  const Remedy remedy = read_remedy("kernel.cu(1): warning #20-D: identifier \"uint\" is undefined\n");
  CHECK_FALSE(remedy.legacy_names);
}

TEST_CASE("logs that break off, or are empty") {
  for (const char* const log : {"", "\n", "error: ", "error: identifier \"", "error: identifier \"uint",
                                "error: cannot open source file \"", "error: cannot open source file \"a"})
    CHECK_FALSE(read_remedy(log).legacy_names);
  CHECK_FALSE(read_remedy("error: cannot open source file \"a").missing_header);
  CHECK(read_remedy("error: cannot open source file \"a\"").missing_header == "a");
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
