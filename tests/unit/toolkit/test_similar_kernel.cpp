#include "toolkit/names/kernels_in_source.hpp"
#include "toolkit/names/similar_kernel.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace similar_kernel_test {

using kiln::similar_kernel;
using Names = std::vector<std::string>;

namespace {

Names names(std::string_view source) {
  Names found;
  for (const kiln::SourceKernel& kernel : kiln::kernels_in_source(source))
    found.push_back(kernel.name + (kernel.is_template ? "<>" : ""));
  return found;
}

}  // namespace

TEST_CASE("kernels of a source have their namespaces") {
  CHECK(names("extern \"C\" { __global__ void plain(float* x) { if (x) { *x = 1; } } }") == Names{"plain"});
  CHECK(names("namespace a::b { namespace { __global__ void k() {} } struct S {}; }\n"
              "using namespace a; namespace c = a::b;\n"
              "template <class T, int n = (4)> __global__ void t(T* p);") == Names{"a::b::k", "t<>"});
  CHECK(names("__global__ __launch_bounds__(128, (2)) void bounded ();") == Names{"bounded"});
  CHECK(names("__global__ void __launch_bounds__(128)\nlower();") == Names{"lower"});
}

TEST_CASE("a template has its parameters, and an instance to show") {
  const auto kernels = kiln::kernels_in_source(
      "template <class T,\n          int N = (4 > 3)>\n__launch_bounds__(N) __global__ void a(T* p);\n"
      "namespace n { template<template <class> class C, bool flag, typename... T> static __global__ void b(); }\n"
      "template <> __global__ void c<int>(int*);\n__global__ void d();");
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].parameters == "<class T, int N = (4 > 3)>");
  CHECK(example_instance(kernels[0]) == "a<float, 4>");
  CHECK(kernels[1].parameters == "<template <class> class C, bool flag, typename... T>");
  CHECK(example_instance(kernels[1]) == "n::b<4, true, float>");
  CHECK(kernels[2].parameters == "<>");
  CHECK(kernels[3].parameters.empty());
}

TEST_CASE("comments, literals and directives are no code") {
  CHECK(names("// __global__ void a();\n/* namespace n { */ const char* s = \"__global__ void b(\";\n"
              "#define OPEN namespace x { \\\n {{\n__global__ void c();") == Names{"c"});
  CHECK(names("__global__").empty());
  CHECK(names("} } __global__ void k(") == Names{"k"});
}

TEST_CASE("the kernel that was meant, with what stands behind the name") {
  const std::string source =
      "namespace math { template <class T> __global__ void scale(T*); }\n"
      "namespace other { template <class T> __global__ void scale(T*); }\n"
      "__global__ void plain(float*);";
  CHECK(similar_kernel("math::scle<float>", source) == "math::scale<float>");
  CHECK(similar_kernel("mth::scale<float>", source) == "math::scale<float>");
  CHECK(similar_kernel("othr::scale<float>", source) == "other::scale<float>");
  CHECK(similar_kernel("scale<float>(float*)", source) == "math::scale<float>(float*)");
  CHECK(similar_kernel("plian", source) == "plain");
  CHECK(similar_kernel("wrong::plian", source) == "plain");
  CHECK(similar_kernel("::plain", source).empty());
  CHECK(similar_kernel("math::scale<flaot>", source).empty());
  CHECK(similar_kernel("reduce", source).empty());
  CHECK(similar_kernel("", source).empty());
}

}  // namespace similar_kernel_test
