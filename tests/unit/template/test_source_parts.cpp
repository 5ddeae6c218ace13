#include "template/source_parts.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

namespace source_parts_test {

using namespace kiln;

namespace {

const DynamicFunction twice = {"float", "twice", "float x", "return 2 * x;"};

template <class Call>
std::string message(const Call& call) {
  try {
    call();
    return {};
  } catch (const ArgumentError& error) {
    return error.what();
  }
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the parts in their order, each with its own line numbers") {
  SourceParts parts("__global__ void k($type* x) { *x = twice(*x); }", "scale.cu");
  parts.add_function(twice);
  parts.add_function({"void", "g", "", "\n#pragma unroll\nfor (;;);\n", "static __device__"});
  parts.add_to_preamble("struct A {};");
  parts.add_to_preamble("#define B 1\n");
  parts.add_to_preamble("struct A {};");
  parts.substitute({{"type", "float"}});
  CHECK(parts.source() == R"(#line 1 "preamble 1"
struct A {};
#line 1 "preamble 2"
#define B 1
#line 1 "head of function twice"
__device__ float twice(float x);
#line 1 "head of function g"
static __device__ void g();
#line 1 "head of function twice"
__device__ float twice(float x) {
#line 1 "function twice"
return 2 * x;
}
#line 1 "head of function g"
static __device__ void g() {
#line 1 "function g"

#pragma unroll
for (;;);
}
#line 1 "scale.cu"
__global__ void k(float* x) { *x = twice(*x); }
)");
  CHECK(parts.source() == parts.source());
  CHECK(SourceParts("x", "a\"b\\c\nd").source() == "#line 1 \"a\\\"b\\\\c\\nd\"\nx\n");
}

TEST_CASE("values add up, and are for the template only") {
  SourceParts parts("$a $b", "t");
  CHECK(parts.source() == "#line 1 \"t\"\n$a $b\n");
  parts.add_to_preamble("$a");
  parts.substitute({{"a", 1}});
  CHECK(has(message([&] { parts.source(); }), "t: at line 1, column 4 the template names b"));
  parts.substitute({{"a", 2}, {"b", CodeBlock{"x\ny"}}});
  CHECK(parts.source() == "#line 1 \"preamble 1\"\n$a\n#line 1 \"t\"\n2 x\n#line 1\ny\n");
}

TEST_CASE("clashes are told before a compiler sees them") {
  SourceParts parts("// twice(float x) {\n__device__ float half(float x) { return x / 2; }");
  parts.add_function(twice);
  parts.add_function({"double", "twice", "double x", "return 2 * x;"});
  CHECK(has(message([&] {
              parts.add_function({"int", "twice", "float other", ""});
            }),
            "function twice: a function that was added before defines twice(float) already"));
  CHECK_FALSE(parts.source().empty());
  SourceParts with_half = parts;
  with_half.add_function({"float", "half", "float", ""});
  CHECK(has(message([&] { with_half.source(); }), "function half: template defines half(float) already"));
  parts.add_to_preamble("__device__ float twice(float x) { return x; }");
  CHECK(has(message([&] { parts.source(); }), "function twice: preamble 1 defines twice(float) already"));
}

TEST_CASE("functions that differ are no clash") {
  SourceParts parts(
      "template <int n> __device__ float half(float x) { return x / n; }\n"
      "#ifdef OWN\n__device__ float half(float x) { return x / 2; }\n#endif\n");
  parts.add_function({"float", "half", "float x", "return x;"});
  parts.add_function({"float", "half", "float x", "return x;", "template <class T> __device__"});
  parts.add_function({"float", "half", "float x", "return x;", "template <class T, class U> __device__"});
  parts.add_function({"A<n == 1>", "half", "float x", "return {};", "template <int n> __device__"});
  parts.add_function({"A<n == 2>", "half", "float x", "return {};", "template <int n> __device__"});
  CHECK(has(message([&] {
              parts.add_function({"A<n==1>", "half", "float y", "", "template<int n>__device__"});
            }),
            "function half: a function that was added before"));
  CHECK_NOTHROW(parts.source());
}

TEST_CASE("operators") {
  SourceParts parts;
  parts.add_function({"float2", "operator+", "float2 a, float2 b", "return {a.x + b.x, a.y + b.y};"});
  CHECK(has(parts.source(), "__device__ float2 operator+(float2 a, float2 b);"));
  CHECK_THROWS_AS(parts.add_function({"float2", "operator+", "float2 c, float2 d", ""}), ArgumentError);
}

TEST_CASE("a byte order mark is left out, as a compiler takes it at its file's beginning only") {
  SourceParts parts("\xEF\xBB\xBFint b;");
  parts.add_to_preamble("\xEF\xBB\xBF#define A\n");
  CHECK(parts.source() == "#line 1 \"preamble 1\"\n#define A\n#line 1 \"template\"\nint b;\n");
}

TEST_CASE("faulty parts are refused by name and change nothing") {
  SourceParts parts;
  const std::string before = parts.source();
  const auto fault = [&](const DynamicFunction& function) { return message([&] { parts.add_function(function); }); };
  CHECK(has(fault({"void", "f", "", "if (x) {"}), "function f, body: at line 1, column 8 a '{' is not closed"));
  CHECK(has(fault({"void", "f", "", "}\nvoid g() {"}), "function f, body: at line 1, column 1 a '}' closes nothing"));
  CHECK(has(fault({"void", "f", "int a) {", ""}), "function f, parameters: "));
  CHECK(has(fault({"void", "f", "int a // b", ""}), "function f, parameters: it ends in a line comment"));
  CHECK(has(fault({"void", "f", "", "", "__device__ ("}), "function f, qualifiers: "));
  CHECK(has(fault({"A<(", "f", "", ""}), "function f, return_type: "));
  CHECK(has(fault({"", "f", "", ""}), "function f: return_type: expected a type"));
  CHECK(has(fault({"void", "f", "int a = 1", ""}), "cannot have default arguments"));
  for (const char* name : {"", "a b", "1a", "a::b", "a$", "f(", "operator()", "operator+ x"})
    CHECK(has(fault({"void", name, "", ""}), "DynamicFunction: name: expected an identifier"));
  CHECK(has(message([&] { parts.add_to_preamble("namespace a {"); }), "preamble 1: at line 1, column 13 a '{'"));
  CHECK(parts.source() == before);
}

}  // namespace source_parts_test
