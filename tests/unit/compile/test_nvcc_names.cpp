#include "toolkit/image/code_info.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/nvcc/name_marker.hpp"
#include "worker/nvcc/nvcc_compile.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "real_nvcc.hpp"
#include "small_job.hpp"

namespace nvcc_names_test {

using namespace kiln;

namespace {

using Names = std::vector<std::pair<std::string, std::string>>;

// The last line has no newline, and is a comment.
constexpr const char* source = R"(
#define unused __attribute__((unused))
namespace n {
typedef float real;
struct S { int x; };
enum class Kind { a, b };
template <class T, int N = 3> __global__ void scale(T* a, int n) { a[0] *= N + n; }
template <class T> __global__ void take(T) {}
template <Kind k> __global__ void kind() {}
template <char c> __global__ void letter() {}
template <class T> __device__ T table;
__constant__ int limits[4];
}
__global__ void plain(int) {}
__global__ void over(int) {}
__global__ void over(float) {}
__device__ int counter;
extern "C" __global__ void c_kernel() {}
using namespace n;
// end)";

const std::vector<std::string> expressions = {"n::scale<float,4>",
                                              "n::scale<n::real>",
                                              "scale<double>",
                                              "::n::scale<float,9>",
                                              "scale<int,sizeof(int)>",
                                              "scale<decltype(1.0f),1+1>",
                                              "n::take<n::S>",
                                              "take<const n::S*>",
                                              "take<void(*)(int)>",
                                              "take<unsigned long long>",
                                              "kind<n::Kind::b>",
                                              "letter<'\"'>",
                                              "letter<'\\''>",
                                              "&n::table<int>",
                                              "&n::limits",
                                              "n::limits",
                                              "&counter",
                                              "plain",
                                              "&plain",
                                              "(void(*)(int))over",
                                              "static_cast<void(*)(float)>(over)",
                                              "c_kernel"};

CompilerJob job(Target target) {
  CompilerJob made = kiln::test::job(source);
  if (target != Target::cubin && target != Target::fatbin) made.arch = "compute_90";
  made.target = target;
  made.name_expressions = expressions;
  return made;
}

}  // namespace

TEST_CASE("instances get the symbols that NVRTC gives them, in each kind of code" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const Names expected = compile_with_nvrtc(NvrtcLibrary::get(), job(Target::cubin)).lowered_names;
  const CompilerOutput cubin = compile_with_nvcc(*nvcc, job(Target::cubin));
  CHECK(cubin.lowered_names == expected);
  const CodeInfo info = read_cubin(cubin.code);
  const auto has_kernel = [&](const std::string& name) {
    return std::any_of(info.kernels.begin(), info.kernels.end(),
                       [&](const auto& kernel) { return kernel.name == name; });
  };
  for (std::size_t i = 0; i < 13; ++i) CHECK(has_kernel(expected[i].second));
  // The markers are not among what users see.
  for (const std::string& name : info.globals) CHECK(name.find("kiln") == std::string::npos);
  const CompilerOutput ptx = compile_with_nvcc(*nvcc, job(Target::ptx));
  CHECK(ptx.lowered_names == expected);
  CHECK(ptx.code.find("kiln") == std::string::npos);
  CHECK(compile_with_nvcc(*nvcc, job(Target::fatbin)).lowered_names == expected);
  CHECK(compile_with_nvcc(*nvcc, job(Target::ltoir)).lowered_names == expected);
  CHECK_THROWS_AS(compile_with_nvcc(*nvcc, job(Target::optixir)), CompileError);
}

TEST_CASE("names are reported with debug information too" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  CompilerJob made = job(Target::ptx);
  made.name_expressions = {"n::scale<float,4>"};
  made.arguments = {"-G"};
  CHECK(compile_with_nvcc(*nvcc, made).lowered_names.at(0).second == "_ZN1n5scaleIfLi4EEEvPT_i");
}

TEST_CASE("an expression that names nothing is refused by its name, as by NVRTC" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  for (const char* expression : {"n::missing<float>", "over", "scale", "1", "&counter+1", "nullptr", "plain,c_kernel",
                                 "counter", "scale<float"}) {
    CAPTURE(expression);
    CompilerJob made = job(Target::cubin);
    made.name_expressions = {expression};
    CHECK_THROWS_AS(compile_with_nvrtc(NvrtcLibrary::get(), made), CompileError);
    try {
      compile_with_nvcc(*nvcc, made);
      FAIL_CHECK("accepted");
    } catch (const CompileError& error) {
      CHECK(std::string(error.what()).find("name expression " + std::string(expression)) != std::string::npos);
    }
  }
}

TEST_CASE("markers stand behind a source whose last line does not end") {
  const std::string text = name_markers({"k<1>"});
  CHECK(text.substr(0, 2) == "\n\n");
  CHECK(text.find("#line 1 \"name expression k<1>\"") != std::string::npos);
  CHECK(name_markers({}) == "\n\n");
}

TEST_CASE("markers are read from PTX, and taken out of it") {
  const std::string ptx =
      ".visible .global .align 4 .u32 own;\n"
      ".global .align 8 .u64 __kiln_name_0 = _Z1kv;\n"
      ".global .align 8 .u64 __nv_static_25__79f0fa72_4_q_cu_29339763___kiln_name_1 = generic(own);\n"
      ".visible .entry _Z1kv()\n{\n}";
  CHECK(read_name_markers({"k", "&own"}, ptx) == Names{{"k", "_Z1kv"}, {"&own", "own"}});
  CHECK(without_name_markers(ptx) == ".visible .global .align 4 .u32 own;\n.visible .entry _Z1kv()\n{\n}");
  const std::string debug = ptx + "\n.section .debug_info { .b64 __kiln_name_0 }\n";
  CHECK(without_name_markers(debug) == debug);
  for (const char* value : {"1", "generic(own)+4", "", "0"})
    CHECK_THROWS_AS(read_name_markers({"k"}, ".global .u64 __kiln_name_0 = " + std::string(value) + ";"), CompileError);
  CHECK_THROWS_AS(read_name_markers({"k"}, ""), CompileError);
}

}  // namespace nvcc_names_test
