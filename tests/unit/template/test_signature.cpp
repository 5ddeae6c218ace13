#include "template/signature.hpp"

#include <doctest/doctest.h>

namespace signature_test {

using namespace kiln;

TEST_CASE("types of parameters, without names and spacing") {
  CHECK(parameter_types("") == "");
  CHECK(parameter_types("void") == "");
  CHECK(parameter_types("const float * x, int n") == "const float*,int");
  CHECK(parameter_types("const float*, int") == "const float*,int");
  CHECK(parameter_types("float* __restrict__ x /* in */, // out\n unsigned int n") == "float*,unsigned int");
  CHECK(parameter_types("unsigned n, unsigned") == "unsigned,unsigned");
  CHECK(parameter_types("ns::Pair<int, float> p, ns::Point, const Point, Point q") ==
        "ns::Pair<int,float>,ns::Point,const Point,Point");
  CHECK(parameter_types("struct Point p, struct Point") == "struct Point,struct Point");
  CHECK(parameter_types("float x[3], int (*f)(int, int), int a[2][3]") == "float*,int(*f)(int,int),int*[3]");
  CHECK(parameter_types("T&& value, Ts... rest") == "T&&,Ts...");
  CHECK(parameter_types(",") == ",");
}

TEST_CASE("defaults") {
  CHECK(has_default("int a = 1"));
  CHECK(has_default("template <class T = float> __device__"));
  CHECK_FALSE(has_default("int a, A<(1 == 2)> b"));
  CHECK_FALSE(has_default("int a /* = 1 */"));
  CHECK_FALSE(has_default("A<sizeof(T) == 4> a, B<x != y, x <= y, z >= y> b"));
  CHECK(has_default("A<x == y> a = 1"));
}

TEST_CASE("definitions that a text has") {
  const auto defines = [](std::string_view text, const std::string& types) {
    return defined_functions(text).count("f(" + types + ")") != 0;
  };
  CHECK(defines("__device__ float f(float x) { return x; }", "float"));
  CHECK(defines("int g() { }\nextern \"C\" {\n__global__ void __launch_bounds__(32)\nf ( float * ) {} }", "float*"));
  CHECK(defines("template <class T> struct A {};\nint f(int x) {}", "int"));
  CHECK_FALSE(defines("template <class T> T f(T x) {}", "T"));
  CHECK_FALSE(defines("template <int n> __device__ float f(float x) {}", "float"));
  CHECK_FALSE(defines("__device__ float f(float x);", "float"));
  CHECK_FALSE(defines("__device__ float f(int x) {}", "float"));
  CHECK_FALSE(defines("// float f(float x) {}\n#define F float f(float x) {}\n", "float"));
  CHECK_FALSE(defines("float A::f(float x) {}", "float"));
  CHECK_FALSE(defines("namespace n { float f(float x) {} }", "float"));
  CHECK_FALSE(defines("void g() { f(x); { } }", "x"));
  CHECK_FALSE(defines("f(float", "float"));
  CHECK(defines("bool b = f(x < y);\nint f(int x) {}", "int"));
  CHECK(defines("#if A\nint g() {}\n#endif\nint f(int x) {}", "int"));
  CHECK_FALSE(defines("#ifdef A\nint f(int x) {}\n#endif\n", "int"));
  CHECK_FALSE(defines("#if A\n#else\nnamespace n {\n#endif\nint f(int x) {}\n#ifndef A\n}\n#endif\n", "int"));
}

TEST_CASE("long texts take no longer than their length") {  // an hour, where each call is looked for to the end
  std::string text;
  while (text.size() < 4'000'000) text += "a f(x<y);";
  CHECK(defined_functions(text).empty());
}

}  // namespace signature_test
