// What a message says about slips that the compiler describes without naming the thing at fault: by logs of NVRTC that
// were written down.
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/error_advice.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace slip_advice_test {

using namespace kiln;

/// The message about an error whose mark is at the last `at` of the source.
std::string message(const std::string& source, const std::string& error, const std::string& at,
                    const std::map<std::string, std::string>& headers = {},
                    const std::vector<std::string>& options = {}) {
  const std::size_t place = source.rfind(at);
  REQUIRE(place != std::string::npos);
  std::size_t begin = place;
  while (begin > 0 && source[begin - 1] != '\n') --begin;
  int number = 1;
  for (std::size_t i = 0; i < begin; ++i) number += source[i] == '\n';
  const std::string log = "k.cu(" + std::to_string(number) + "): error: " + error + "\n  " +
                          source.substr(begin, source.find('\n', begin) - begin) + "\n  " +
                          std::string(place - begin, ' ') + "^\n";
  return compile_message({"NVRTC 13.0", "k.cu", source, &headers, log, options});
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

#define CHECK_SAYS(text, words) CHECK_MESSAGE(says(text, words), text)
#define CHECK_SILENT(text, words) CHECK_MESSAGE(!says(text, words), text)

constexpr const char* too_few = "too few arguments in function call";
constexpr const char* too_many = "too many arguments in function call";

TEST_CASE("slips: the function that has too few or too many arguments") {
  const std::string mix = "/* mix(a) */\n__device__ float mix(float a,\n  float b) { return a + b; }\n";
  CHECK_SAYS(message(mix + "o[0] = sqrtf(1) + mix(g(1, 2));\n", too_few, ");\n"),
             "\nmix(float a, float b) of line 2 takes 2 arguments, and is given 1.\n");
  CHECK_SAYS(message(mix + "o[0] = mix(o[1],\n  2, h(3));\n", too_many, "h(3)"),
             "\nmix(float a, float b) of line 2 takes 2 arguments, and is given 3.\n");
  CHECK_SAYS(message(mix + "o[0] = mix();\n", too_few, ");\n"), "takes 2 arguments, and is given none.\n");
  CHECK_SAYS(message("template <class A, class B> float f(A a, B b, int n = 4);\nx = f<int, float>(s<1, 2>());\n",
                     "no instance of function template \"f\" matches the argument list", "f<"),
             "\nf(A a, B b, int n = 4) of line 1 takes 2 to 3 arguments, and is given 1.\n");
  CHECK_SAYS(message("struct P { __device__ int size(void) const; };\nx = p.size(1);\n", too_many, "1);"),
             "\nsize(void) of line 1 takes no arguments, and is given 1.\n");
  CHECK_SAYS(message("#include \"a.h\"\nx = f(1);\n", too_few, ");", {{"a.h", "\n\nint f(int, float*);\n"}}),
             "\nf(int, float*) of line 3 of a.h takes 2 arguments, and is given 1.\n");
  CHECK_SAYS(message("#line 2\nint f(int);\nx = f(1, 2);\n", too_many, "2);"), "\nf(int) takes 1 argument, and is");
  CHECK_SAYS(message("x = powf(y[1]);\n", too_few, ");"), "\npowf takes 2 arguments, and is given 1.\n");
  CHECK_SAYS(message("v = make_float3(1, 2);\n", too_few, ");"), "\nmake_float3 takes 3 arguments, and is given 2.\n");
  CHECK_SAYS(message("__syncthreads(1);\n", too_many, "1);"), "\n__syncthreads takes no arguments, and is given 1.\n");
  CHECK_SAYS(message("x = other(y);\n", too_few, ");"), "\nother is given 1 argument, and takes more.\n");
  // A call is no declaration, and of two that differ none is chosen.
  CHECK_SAYS(message("void k() { return f(1, 2, 3); }\nx = f(1);\n", too_few, ");"), "\nf is given 1 argument");
  CHECK_SAYS(message("struct A { int f(int); }; struct B { int f(int, int); };\nx = b.f();\n", too_few, ");"),
             "\nf is given no arguments, and takes more.\n");
  CHECK_SAYS(message("x = __ballot_sync(f(y));\n", too_few, ");"), "__ballot_sync(mask, predicate)");
}

TEST_CASE("slips: vector types as if they had constructors, or were numbers") {
  const auto made = [](const std::string& line, const std::string& from, const std::string& type) {
    return message(line + "\n", "no suitable constructor exists to convert from \"" + from + "\" to \"" + type + "\"",
                   type);
  };
  CHECK_SAYS(made("o[0] = float3(1, 2, 3);", "int", "float3"),
             "CUDA's vector types have no constructors: write make_float3(1, 2, 3).");
  CHECK_SAYS(made("o[0] = (int2)(a, f(b, c));", "int", "int2"), "write make_int2(a, f(b, c)).");
  CHECK_SAYS(made("const float2 z = 0;", "int", "const float2"), "write make_float2(x, y).");
  CHECK_SAYS(made("float4 v = p;", "float3", "float4"), "write make_float4(v.x, v.y, v.z, 0).");
  CHECK_SAYS(message("float4 v(1, 2, 3, 4);\n", "too many initializer values", "3, 4"),
             "write make_float4(1, 2, 3, 4).");
  CHECK_SILENT(message("int v[2] = {1, 2, 3};\n", "too many initializer values", "3"), "make_");
  CHECK_SILENT(made("Matrix m = 0;", "int", "Matrix"), "make_");
  CHECK_SAYS(
      message("x = sqrtf(v);\n", "no suitable conversion function from \"const float3\" to \"float\" exists", "v"),
      "A float3 is no number: name its component, such as v.x.");
  const auto operators = [](const std::string& line, const std::string& sign, const std::string& types) {
    return message(line + "\n",
                   "no operator \"" + sign + "\" matches these operands\n            operand types are: " + types,
                   sign);
  };
  CHECK_SAYS(operators("o[0] = 1.0f;", "=", "float2 = float"), "write make_float2(x, y).");
  CHECK_SAYS(operators("o[0] = a;", "=", "double2 = float2"), "write make_double2(v.x, v.y).");
  CHECK_SAYS(operators("if (a == b) x = 1;", "==", "float2 == float2"), "as in a.x == b.x && a.y == b.y.");
}

TEST_CASE("slips: printf without a format, and text in single quotes") {
  const auto given = [](const std::string& type, const std::string& line = "printf(x);\n") {
    return message(line, "argument of type \"" + type + "\" is incompatible with parameter of type \"const char *\"",
                   "x");
  };
  CHECK_SAYS(given("int"), "\nprintf's first argument is the format, a text: printf(\"%d\\n\", x).\n");
  CHECK_SAYS(given("float"), "printf(\"%f\\n\", x)");
  CHECK_SAYS(given("unsigned int"), "printf(\"%u\\n\", x)");
  CHECK_SAYS(given("long long"), "printf(\"%lld\\n\", x)");
  CHECK_SAYS(given("size_t"), "printf(\"%llu\\n\", x)");
  CHECK_SAYS(given("int *"), "printf(\"%p\\n\", x)");
  CHECK_SILENT(given("int", "puts(x);\n"), "printf");
  CHECK_SAYS(message("printf();\n", too_few, ");"), "printf's first argument is the format");
  CHECK_SAYS(message("printf('x = %d', x);\n", "too many characters in character constant", "'x"), "double quotes");
}

TEST_CASE("slips: a name above the #include of its header") {
  const auto undefined = [](const std::string& source, const std::string& name) {
    return message(source, "identifier \"" + name + "\" is undefined", name);
  };
  CHECK_SAYS(undefined("float f(half x);\n\n# include <cuda_fp16.h>\n", "half"),
             "\"half\" is declared by <cuda_fp16.h>, which is included below, in line 3: move that #include above.");
  CHECK_SAYS(undefined("nv_bfloat16 x;\n#include \"cuda_bf16.h\"\n", "nv_bfloat16"), "included below, in line 2");
  CHECK_SAYS(undefined("// #include <cuda_fp16.h>\nhalf x;\n", "half"), "#include <cuda_fp16.h>.");
  CHECK_SILENT(undefined("#include <cuda_fp16.h>\nhalf x;\n", "half"), "is declared by");
  CHECK_SAYS(message("cuda::std::tuple<int> t;\n#include <cuda/std/tuple>\n",
                     "name followed by \"::\" must be a class or namespace name", "cuda::std::tuple"),
             "included below, in line 2");
}

TEST_CASE("slips: a name above its declaration, and words of Python") {
  const auto undefined = [](const std::string& source, const std::string& name, const std::string& at) {
    return message(source, "identifier \"" + name + "\" is undefined", at);
  };
  CHECK_SAYS(undefined("void k() { x = sum(o); }\n__device__ float sum(float* a) { return a[0]; }\n", "sum", "sum(o"),
             "\n\"sum\" is declared below, in line 2: move that above its use, or declare it there, too.\n");
  CHECK_SAYS(undefined("void k(P* p);\nstruct P { int a; };\n", "P", "P* p"), "\"P\" is declared below, in line 2");
  CHECK_SAYS(undefined("void k() { x = table[0]; }\n__constant__ float table[4];\n", "table", "table[0"), "in line 2");
  CHECK_SILENT(undefined("void k() { x = sum(o); }\nvoid f() { int sum = 3; }\n", "sum", "sum(o"), "declared below");
  CHECK_SAYS(undefined("import numpy\n", "import", "import"), "is of Python: CUDA C++ has #include <header>");
  CHECK_SAYS(message("if i < n:\n", "expected a \"(\"", "i <"), "A condition stands in parentheses");
  CHECK_SILENT(message("f 1;\n", "expected a \"(\"", "1"), "parentheses");
}

TEST_CASE("slips: macros whose text breaks the line that uses them") {
  const auto expected = [](const std::string& source, const std::string& at) {
    return message(source, "expected an expression", at);
  };
  CHECK_SAYS(expected("\n#define N = 256\nfloat s[N];\n", "N]"),
             "The macro N of line 2 has the = in its text, where it is used: write #define N 256.");
  CHECK_SAYS(expected("#define N 256; // rows\nfloat s[N];\n", "N]"),
             "The macro N of line 1 ends with a semicolon, which stands in the line, too: write #define N 256.");
  CHECK_SAYS(expected("#define N 256;\n#define M (N + 1)\nfloat s[M];\n", "M]"), "The macro N of line 1 ends with");
  CHECK_SAYS(expected("#define PI: 3.14\nx = PI;\n", "PI;"), "write #define PI 3.14.");
  CHECK_SAYS(message("#define S 2.0f;\nx = S * y;\n", "operand of \"*\" must be a pointer but has type \"float\"", "y"),
             "The macro S of line 1 ends with a semicolon");
  CHECK_SAYS(expected("#define SQ(x) ((x) * (x)\ny = SQ(3);\n", ";\n"), "The macro SQ of line 1 has a bracket that is");
  CHECK_SAYS(message("#define SQ (value) value * value\ny = SQ(3);\n", "identifier \"value\" is undefined", "SQ"),
             "has a blank before its parameters, so that it has none: write #define SQ(value) value * value.");
  CHECK_SAYS(message("float s[N];\n", "expected a \"]\"", "N]", {}, {"-DN=4;"}),
             "The macro N of the options ends with");
  CHECK_SAYS(message("float s[N];\n", "expected a \"]\"", "N]", {}, {"-DN== 4"}),
             "The macro N of the options has the =");
  // These are as they are meant.
  for (const char* definition : {"#define N 256", "#define N (a == 4)", "#define N ::count", "#define N {1; 2;}"})
    CHECK_SILENT(expected(std::string(definition) + "\nfloat s[N];\n", "N]"), "The macro");
  CHECK_SILENT(message("#define CHECK(x) if (x) return;\nCHECK(a) y = b;\n", "identifier \"b\" is undefined", "b;"),
               "The macro");
  CHECK_SILENT(expected("#define N 256;\nfloat s[M];\n", "M]"), "The macro");
}

TEST_CASE("slips: sizes and indices of arrays") {
  const std::string no_elements = "an array may not have elements of this type";
  CHECK_SAYS(message("void k(float x[][]) {}\n", no_elements, "])"), "Only the first size of an array may be left out");
  CHECK_SAYS(message("extern float s[][16][];\n", no_elements, "];"), "Only the first size");
  CHECK_SILENT(message("float& s[4];\n", no_elements, "s"), "Only the first size");
  const auto indexed = [](const std::string& line, const std::string& at) {
    return message(line + "\n", "expression must have pointer-to-object type but it has type \"float\"", at);
  };
  CHECK_SAYS(indexed("o[y][x + 1] = 1;", "o["), "by one index, as in o[y * width + (x + 1)].");
  CHECK_SAYS(indexed("a = p.o[z][y][x];", "p.o"), "as in p.o[(z * height + y) * width + x].");
  CHECK_SAYS(indexed("o[0] = v[1];", "v["), "\"v\" is one float and has no elements: leave the index out");
  CHECK_SAYS(indexed("v[i] = 1;", "i]"), "\"v\" is one float");
  CHECK_SAYS(
      message("f(o);\n", "argument of type \"float *\" is incompatible with parameter of type \"float (*)[16]\"", "o"),
      "The parameter is a pointer to rows: cast the address, as in (float (*)[16])p.");
}

std::string undefined(const std::string& source, const std::string& name) {
  return message(source + "\n", "identifier \"" + name + "\" is undefined", name);
}

TEST_CASE("slips: constants of standard headers, and numbers of cuComplex.h") {
  for (const char* name : {"FLT_MAX", "DBL_MAX", "FLT_EPSILON", "DBL_DIG"})
    CHECK_SAYS(undefined("x = " + std::string(name) + ";", name), "is declared by a header: #include <cfloat>.");
  CHECK_SAYS(undefined("x = LLONG_MAX;", "LLONG_MAX"), "#include <climits>.");
  CHECK_SAYS(undefined("x = UINT64_MAX;", "UINT64_MAX"), "#include <cstdint>.");
  CHECK_SAYS(undefined("cuFloatComplex z;", "cuFloatComplex"), "#include <cuComplex.h>.");
}

TEST_CASE("slips: names that are Python's only where the line is") {
  CHECK_SAYS(undefined("lambda = [=](float v) { return v; };", "lambda"),
             "\"lambda\" is not declared before it is assigned: give it a type, as in auto lambda = ...");
  CHECK_SAYS(undefined("f = lambda x: x", "lambda"), "is of Python: CUDA C++ has [=](float x)");
  CHECK_SAYS(undefined("for (i = 0; i < len(x); ++i)", "len"), "is of Python: CUDA C++ has lengths");
  CHECK_SILENT(undefined("for (i = 0; i < len; ++i)", "len"), "Python");
  CHECK_SILENT(undefined("x = range;", "range"), "Python");
  CHECK_SAYS(undefined("self.x = 1;", "self"), "Python");
  CHECK_SILENT(undefined("x = self;", "self"), "Python");
  CHECK_SAYS(undefined("x = math.sqrt(2);", "math"), "Python");
  CHECK_SAYS(undefined("kernel void k() {}", "kernel"), "OpenCL: CUDA C++ has __global__");
  CHECK_SILENT(undefined("x = kernel;", "kernel"), "OpenCL");
  CHECK_SAYS(undefined("cuda.syncthreads();", "cuda"),
             "\"cuda.syncthreads\" is of Numba: CUDA C++ has __syncthreads().");
  CHECK_SAYS(undefined("int i = cuda.grid(1);", "cuda"), "CUDA C++ has blockIdx.x * blockDim.x + threadIdx.x.");
  CHECK_SILENT(undefined("cuda::atomic<int> a;", "cuda"), "Numba");
}

TEST_CASE("slips: names of other libraries, and those without their underscores") {
  CHECK_SAYS(undefined("void k(CArray<float, 1> x) {}", "CArray"), "is of CuPy: CUDA C++ has pointers and sizes");
  CHECK_SAYS(message("CUPY_FOR(i, n) { }\n", "identifier \"i\" is undefined", "i, n"), "\"CUPY_FOR\" is of CuPy");
  CHECK_SAYS(undefined("void k(bf16* x) {}", "bf16"), "__nv_bfloat16 of <cuda_bf16.h>");
  CHECK_SAYS(undefined("x[hipThreadIdx_x] = 1;", "hipThreadIdx_x"), "is of HIP: CUDA C++ has threadIdx.x.");
  CHECK_SAYS(undefined("shared float s[4];", "shared"), "Did you mean \"__shared__\" instead of \"shared\"?");
  CHECK_SAYS(undefined("syncthreads();", "syncthreads"), "Did you mean \"__syncthreads\"");
  CHECK_SILENT(undefined("x = shared[0];", "shared"), "__shared__");
  const auto without_type = [](const std::string& source) {
    return message(source + "\n", "this declaration has no storage class or type specifier", source);
  };
  CHECK_SAYS(without_type("global void k(float* x) {}"), "Did you mean \"__global__\"");
  CHECK_SAYS(without_type("constant float c[4];"), "Did you mean \"__constant__\"");
  CHECK_SILENT(without_type("f(float* x) {}"), "Did you mean");
  const auto without_header = [](const std::string& name) {
    return message("#include <" + name + ">\n", "cannot open source file \"" + name + "\"", "#");
  };
  CHECK_SAYS(without_header("hip/hip_runtime.h"), "\"hip/hip_runtime.h\" is of HIP: leave it out");
  CHECK_SAYS(without_header("torch/extension.h"), "is for programs of the host");
  CHECK_SAYS(without_header("other.h"), "include_dirs");
}

TEST_CASE("slips: names in capitals that may be macros, and types that are no others") {
  CHECK_SAYS(undefined("float s[TILE];", "TILE"),
             "\"TILE\" looks like a macro, and none of that name is defined: give it by CompileOptions::defines");
  CHECK_SAYS(undefined("__global__ void k(T* x) {}", "T"), "looks like a template's parameter or a macro");
  CHECK_SILENT(undefined("float s[Tile];", "Tile"), "macro");
  CHECK_SILENT(undefined("x = size_x;", "size_x"), "Did you mean");
  CHECK_SAYS(undefined("uin32_t x;", "uin32_t"), "Did you mean \"uint32_t\"");
}

TEST_CASE("slips: marks of Jinja and Mako, which render_template leaves") {
  CHECK_SAYS(undefined("void k({{ T }}* x) {}", "T"), "It is Jinja's, which Kiln leaves as it is");
  CHECK_SAYS(message("{% for i in x %}\n", "expected an expression", "%"), "It is Jinja's");
  CHECK_SAYS(message("% for i in x:\n", "expected an expression", "%"), "It is Mako's");
  CHECK_SAYS(message("{@ T @} x;\n", "unrecognized token", "@ T"), "kiln::render_template gives the text to compile");
}

TEST_CASE("slips: a template's type that has no members in an instance") {
  const std::string line = "template <class T> __global__ void k(T* x) { x[0] = T::zero(); }\n";
  const std::string error = "name followed by \"::\" must be a class or namespace name";
  const auto in_instance = [&](const std::string& with) {
    const std::string log = "k.cu(1): error: " + error + "\n  " + line + std::string(line.find("T::") + 2, ' ') +
                            "^\n          detected during instantiation of \"void k(T *) [with " + with + "]\" \n";
    return compile_message({"NVRTC 13.0", "k.cu", line, nullptr, log, {}});
  };
  CHECK_SAYS(in_instance("T=float"), "\"T\" is float in this instance, and float has no members");
  CHECK_SAYS(in_instance("N=3, T=int *"), "\"T\" is int * in this instance");
  CHECK_SAYS(in_instance("U=float"), "No namespace or class \"T\" is declared");
}

TEST_CASE("slips: pairs of small numbers, and complex numbers without operators") {
  const auto made = [](const std::string& from, const std::string& to) {
    return message("x = h;\n", "no suitable user-defined conversion from " + from + " to " + to + " exists", "h");
  };
  CHECK_SAYS(made("\"__half\"", "\"half2\" (aka \"__half2\")"), "\nWrite __half2half2(h), which has it twice");
  CHECK_SAYS(made("\"half\" (aka \"__half\")", "\"__half2\""), "\nWrite __half2half2(h)");
  CHECK_SAYS(made("\"const float2\"", "\"__nv_bfloat162\""), "\nWrite __float22bfloat162_rn(v).");
  CHECK_SAYS(made("\"__half2\"", "\"float2\""), "\nWrite __half22float2(h).");
  CHECK_SAYS(
      message("__half2 h = 1.0f;\n", "no suitable constructor exists to convert from \"float\" to \"__half2\"", "1"),
      "\nWrite __float2half2_rn(x)");
  const auto operators = [](const std::string& sign, const std::string& types) {
    return message("a " + sign + " b;\n",
                   "no operator \"" + sign + "\" matches these operands\n            operand types are: " + types,
                   sign);
  };
  CHECK_SAYS(operators("*", "cuFloatComplex * cuFloatComplex"),
             "have no operators: write cuCmulf(a, b), or use pycuda::");
  CHECK_SAYS(operators("/", "cuDoubleComplex / const cuDoubleComplex"),
             "write cuCdiv(a, b), or use pycuda::complex<double>");
  CHECK_SAYS(operators("*", "float * cuFloatComplex"), "write cuCmulf(make_cuFloatComplex(x, 0), z),");
  CHECK_SAYS(operators("=", "cuFloatComplex = float"), "write make_cuFloatComplex(x, 0),");
  CHECK_SAYS(operators("=", "cuDoubleComplex = cuFloatComplex"), "write cuComplexFloatToDouble(z),");
  CHECK_SAYS(operators("==", "cuFloatComplex == cuFloatComplex"), "cuCrealf(z) and cuCimagf(z)");
  CHECK_SILENT(operators("*", "float2 * float2"), "cuComplex");
}

TEST_CASE("slips: directives, linkage, brackets and places of C++") {
  CHECK_SAYS(message("#elif\n", "expected an expression", "#"), "#elif needs a condition");
  CHECK_SAYS(message("#if // never\n", "expected an expression", "#"), "#if needs a condition");
  CHECK_SAYS(message("#ifdef\n", "expected an identifier", "#"), "#ifdef needs the name of a macro.");
  CHECK_SILENT(message("#if N +\n", "expected an expression", "#"), "#if needs");
  const std::string linkage = "this declaration may not have extern \"C\" linkage";
  CHECK_SAYS(message("\nextern \"C\" {\nint n;\ntemplate <class T> struct A {};\n}\n", linkage, "template"),
             "close the extern \"C\" { of line 2 before it");
  CHECK_SAYS(message("extern \"C\" template <class T> void f(T);\n", linkage, "template"), "leave extern \"C\" out");
  CHECK_SAYS(message("void k(float[] x) {}\n", "expected a \")\"", "x)"), "behind its name: float* x as a parameter");
  CHECK_SILENT(message("x = [] (int y) { return y };\n", "expected a \";\"", "}"), "behind its name");
  CHECK_SAYS(
      message("__constant__ float c;\n",
              "an automatic \"__constant__\" variable declaration is not allowed inside a device function body", "c"),
      "declared outside of functions: move it above the kernel.");
  CHECK_SAYS(message("f(const __restrict__ float* x);\n", "\"restrict\" is not allowed", "x"), "stands behind its *");
  CHECK_SAYS(message("printf('hi');\n",
                     "argument of type \"int\" is incompatible with parameter of type \"const char *\"", "'hi"),
             "Text has double quotes");
}

TEST_CASE("slips: template arguments that a call does not give") {
  const auto refused = [](const std::string& source, const std::string& at) {
    return message(source, "no instance of function template \"f\" matches the argument list", at);
  };
  const std::string of_type = "template <class T> __device__ T f(float v) { return T(v); }\n";
  CHECK_SAYS(refused(of_type + "x = f(y);\n", "f(y"),
             "do not say what its template's T is: name it, as in f<float>(...).");
  CHECK_SAYS(refused("template <class T, int N, int M> T f(T v);\nx = f(y);\n", "f(y"), "as in f<float, 4, 4>(...).");
  CHECK_SILENT(refused(of_type + "x = f<int>(y);\n", "f<int>(y"), "do not say");
  CHECK_SILENT(refused("template <class T> T f(T a, T b);\nx = f(1, 2.0);\n", "f(1"), "do not say");
}

TEST_CASE("slips: guessed names of CUB, and its functions for whole devices") {
  const auto of_cub = [](const std::string& name) {
    return message("cub::" + name + "();\n", "namespace \"cub\" has no member \"" + name + "\"", name);
  };
  CHECK_SAYS(of_cub("Maximum"), "There is no cub::Maximum: write cuda::maximum<> of <cuda/functional>.");
  CHECK_SAYS(of_cub("Max"), "CUDA 13 removed cub::Max: write cuda::maximum<>");
  CHECK_SAYS(
      message("r.sum(x);\n", "class \"cub::CUB_300001_SM_900::BlockReduce<float, 4>\" has no member \"sum\"", "sum"),
      "Did you mean \"Sum\"?");
  CHECK_SAYS(
      message("cub::DeviceReduce::Sum(p, n, x, y, 4);\n",
              "calling a __host__ function(\"cudaError cub::CUB_300001_SM_900::DeviceReduce::Sum<float *> (void *)\") "
              "from a __global__ function(\"k\") is not allowed",
              "cub"),
      "\"cub::DeviceReduce\" is of CUB for the host, as it launches kernels of its own, and not for kernels: "
      "within a kernel there is cub::BlockReduce.");
}

TEST_CASE("slips: what nothing defines, with its lines, and stores to constant memory") {
  const auto fatal = [](const std::string& source) {
    return compile_message(
        {"NVRTC 13.0", "k.cu", source, nullptr, "ptxas fatal   : Unresolved extern function '_ZN1a1fEf'", {}});
  };
  CHECK_SAYS(
      fatal("namespace a { __device__ float f(float); }\n// f\n\nvoid k() { a::f(1); }\n"),
      "Nothing defines a::f(float), which the source has in lines 1, 4: define it here, or add both sources to a "
      "DynamicModule.");
  CHECK_SAYS(fatal("#define CALL(name) a::name(1)\n"), "What another source defines must be linked");
  CHECK_SAYS(advice_for_words("k.cu(2): Warning: Cannot store to pointer that points to constant memory space"),
             "Set the variable from the host");
}

}  // namespace slip_advice_test
