// Sources that do not compile.
#include "real_nvcc.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "ways_out.hpp"

#include <filesystem>

namespace ways_out_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("ways out: C++") {
  check({
      {"a semicolon", kernel("int a = 1\no[0] = a;"), {"k.cu(3): error: expected a \";\"", ">     3 | o[0] = a;"}},
      {"a name", kernel("o[0] = vlaue;"), {"k.cu(2): error: identifier \"vlaue\" is undefined", ">     2 | o[0]"}},
      {"a type of the user's in a parameter list",
       "__global__ void k(Particle* p) { p[0].x = 1; }",
       {"\"k.cu\": k.cu(1): error: identifier \"Particle\" is undefined", ">     1 | __global__"}},
      {"a member",
       "struct S { int a; };\n" + kernel("S s; o[0] = s.b;"),
       {"k.cu(3): error:", "\"S\" has no member \"b\""}},
      {"too many arguments",
       "__device__ int f(int);\n" + kernel("o[0] = f(1, 2);"),
       {"k.cu(3): error: too many arg", "f(int) of line 1 takes 1 argument, and is given 2."}},
      {"a static_assert", "static_assert(sizeof(int) == 5, \"no int\");", {"k.cu(1): error:", "no int"}},
      {"an #error", "#error Define N\n" + kernel(""), {"k.cu(1): ", "#error directive: Define N"}},
      {"a template without a match",
       "template <class T> __device__ T f(T, T);\n" + kernel("o[0] = f(1, 2.0);"),
       {"k.cu(3): error: no instance of function template \"f\" matches", "(int, double)"}},
      {"a template without an end",
       "template <int n> struct F { static const int value = F<n - 1>::value; };\n" + kernel("o[0] = F<1>::value;"),
       {"k.cu(1): error: excessive recursion at instantiation", "needs a specialisation at which it ends"}},
      {"a name expression",
       "template <class T> __global__ void scale(T* p) { p[0] *= 2; }",
       {"name expression", "did you mean \"scale<float>\"?"},
       {.name_expressions = {"scael<float>"}}},
      {"arguments of a name expression",
       "template <class T, int n> __global__ void scale(T* p) { p[0] *= n; }",
       {"\"scale<float>\" do not fit its template: template <class T, int n> scale", "An instance is, for example"},
       {.name_expressions = {"scale<float>"}}},
      {"a kernel that launches one",
       "__global__ void child() {}\n" + kernel("child<<<1, 1>>>();"),
       {"k.cu(3): error:", "make a DynamicSourceModule of the source"}},
      {"a function that is elsewhere",
       "extern __device__ int helper(int);\n" + kernel("o[0] = helper(1);"),
       {"\"k.cu\": ptxas fatal: Unresolved extern function 'helper(int)'", "add both sources to a DynamicModule"}},
  });
}

TEST_CASE("ways out: names of headers that are not included") {
  check({
      {"half",
       "__global__ void k(half* x) { x[0] = 1; }",
       {"identifier \"half\" is undefined", "#include <cuda_fp16.h>"}},
      {"bfloat16",
       "__global__ void k(const __nv_bfloat16* x) {}",
       {"k.cu(1): error: identifier \"__nv_bfloat16\"", "#include <cuda_bf16.h>"}},
      {"a generator's state",
       "__global__ void k(float* y, curandState* s, int n) { y[0] = curand_uniform(s); }",
       {"k.cu(1): error: identifier \"curandState\" is undefined", "#include <curand_kernel.h>"}},
      {"groups",
       kernel("auto b = cooperative_groups::this_thread_block(); b.sync();"),
       {"k.cu(2): error:", "\"cooperative_groups\" is declared by a header: #include <cooperative_groups.h>"}},
      {"fragments", "using namespace nvcuda;\n" + kernel(""), {"k.cu(1): error:", "#include <mma.h>"}},
      {"CUB", kernel("using Sum = cub::BlockReduce<int, 64>;"), {"k.cu(2): error:", "#include <cub/cub.cuh>"}},
      {"libcu++", kernel("cuda::std::array<int, 3> a;"), {"k.cu(2): error:", "#include <cuda/std/array>"}},
      {"Thrust",
       "__device__ float f(thrust::complex<float> x) { return x.real(); }",
       {"k.cu(1): error:", "#include <thrust/complex.h>"}},
      {"a constant",
       "__global__ void k(float* o) { o[0] = CUDART_INF_F; }",
       {"identifier \"CUDART_INF_F\" is undefined", "#include <math_constants.h>"}},
  });
}

TEST_CASE("ways out: slips that compilers describe without the thing at fault") {
  check({
      {"a multi-line call",
       "__device__ int f(int a, int b, int c);\n" + kernel("o[0] = f(1,\n  2);"),
       {"k.cu(4): error: too few arg", "f(int a, int b, int c) of line 1 takes 3 arguments, and is given 2."}},
      {"a constructor of a vector",
       "__global__ void k(float3* o) {\no[0] = float3(1, 2, 3); }",
       {"k.cu(2): error:", "write make_float3(1, 2, 3)."}},
      {"printf's format", kernel("printf(o[0]);"), {"k.cu(2): error:", "is the format, a text: printf(\"%d\\n\", x)."}},
      {"a header below",
       "__device__ half f();\n#include <cuda_fp16.h>\n" + kernel(""),
       {"k.cu(1): error:", "<cuda_fp16.h>, which is included below, in line 2: move that #include above."}},
      {"a macro with =",
       "#define N = 256\n" + kernel("__shared__ int s[N];"),
       {"k.cu(3): error:", "The macro N of line 1 has the = in its text", "write #define N 256."}},
      {"a macro with ;",
       "#define N 256;\n" + kernel("__shared__ int s[N];"),
       {"k.cu(3): error:", "The macro N of line 1 ends with a semicolon", "write #define N 256."}},
      {"no sizes", "__global__ void k(float x[][]) {}", {"k.cu(1): error:", "as in float a[][16]"}},
      {"two indices", kernel("o[threadIdx.y][threadIdx.x] = 1;"), {"as in o[threadIdx.y * width + threadIdx.x]."}},
      {"a function of no namespace",
       kernel("o[0] = cuda::std::rsqrt(2.f);"),
       {"k.cu(2): error:", "CUDA's rsqrt is in no namespace: write rsqrt, without cuda::std::."}},
  });
}

TEST_CASE("ways out: characters that look like others") {
  check({
      {"a no-break space",
       kernel("o[0] =\xC2\xA0"
              "1;"),
       {"k.cu(2): error: unrecognized token",
        "Character 7 of line 2 is a no-break space (U+00A0), which no compiler takes: write a plain blank."}},
      {"a minus", kernel("o[0] = o[1] \xE2\x88\x92 1;"), {"k.cu(2)", "a Unicode minus sign (U+2212)", "write -."}},
      {"a dash", kernel("o[0] = o[1] \xE2\x80\x93 1;"), {"k.cu(2)", "a typographic dash (U+2013)", "write -."}},
      {"quotes",
       kernel("printf(\xE2\x80\x9Chello\xE2\x80\x9D);"),
       {"a typographic double quote (U+201C)", "write \"."}},
      {"nothing to see", kernel("o[0] = 1;\xE2\x80\x8B"), {"an invisible character (U+200B)", "write nothing"}},
      {"a full-width semicolon",
       kernel("o[0] = 1\xEF\xBC\x9B"),
       {"k.cu(2)", "a full-width character (U+FF1B)", "write the ASCII one"}},
      {"a no-break space behind text that is no ASCII",
       kernel("/* \xC3\xA9\xC2\xA0 */ o[0] =\xC2\xA0"
              "1;"),
       {"Character 16 of line 2 is a no-break space"}},
  });
}

TEST_CASE("ways out: headers") {
  const std::string here = std::filesystem::current_path().string();
  const std::string beside = "between quotes first in that of the source's name (" + here + ")";
  check({
      {"one that is nowhere",
       "#include \"util.h\"\n" + kernel(""),
       {"k.cu(1): ", "\"util.h\"", "in the folders of include_dirs (-I)", beside, "CompileOptions::headers"}},
      {"one that is not beside a name",
       "#include \"util.h\"\n" + kernel(""),
       {"/no/such/folder/k.cu(1): ", "the source's name (/no/such/folder)"},
       {.name = "/no/such/folder/k.cu"}},
      {"one of a header in memory",
       "#include \"a.h\"\n" + kernel(""),
       {"a.h(2): ", "\"b.h\"", ">     2 | #include \"b.h\"", "include_dirs"},
       {.headers = {{"a.h", "// a\n#include \"b.h\"\n"}}}},
      {"an error in a header in memory",
       "#include \"a.h\"\n" + kernel(""),
       {"a.h(2): error: identifier \"x\" is undefined", ">     2 | const int y = x;"},
       {.headers = {{"a.h", "// a\nconst int y = x;\n"}}}},
      {"a name that is a folder's", "#include <tmp>\n", {"k.cu(1): ", "tmp", "include_dirs"}, {.include_dirs = {"/"}}},
  });
}

TEST_CASE("ways out: inline PTX") {
  const std::string head = "int a;\n";
  const auto add = [&](const std::string& text) {
    return kernel(head + "asm(\"" + text + "\" : \"=r\"(a) : \"r\"(o[0]));\no[1] = a;");
  };
  check({
      {"an instruction",
       add("addd.s32 %0, %1, 1;"),
       {"\"k.cu\": k.cu(3): ptxas error: Not a name of any known instruction: 'addd'", ">     3 | asm(\"addd.s32",
        "In PTX it reads: addd.s32 "}},
      {"no semicolon", add("add.s32 %0, %1, 1"), {"k.cu(3): ptxas", ">     3 | asm(", "In PTX it reads: add.s32 "}},
      {"types", add("mov.b64 %0, %1;"), {"k.cu(3): ptxas error: ", "'mov'", "In PTX it reads: mov.b64 "}},
      {"a symbol", add("add.s32 %0, %1, nowhere;"), {"k.cu(3): ptxas error: ", "nowhere", "In PTX it reads: add.s32 "}},
      {"a modifier",
       add("add.sat.u32 %0, %1, 1;"),
       {"k.cu(3): ptxas error: ", ".sat", "In PTX it reads: add.sat.u32 "}},
      {"an operand", add("add.s32 %0, %2, 1;"), {"k.cu(3): error: ", "numbered from %0: its outputs, then its inputs"}},
      {"a constraint", kernel("asm(\"\" : \"=q\"(o[0]));"), {"k.cu(2): error: ", "asm"}},
      {"in a function of a header",
       "#include \"a.h\"\n" + kernel("o[0] = f(o[1]);"),
       {"\"k.cu\": a.h(2): ptxas error: ", "'addd'", ">     2 | asm"},
       {.headers = {{"a.h",
                     "__device__ inline int f(int x) {\nasm(\"addd.s32 %0, %0, 1;\" : \"+r\"(x)); return x; }\n"}}}},
      {"in an instance",
       "template <class T> __global__ void k(T* o) {\n  asm(\"nothing.at.all;\");\n}\n",
       {"k.cu(2): ptxas error: ", "'nothing'", ">     2 |   asm"},
       {.name_expressions = {"k<int>"}}},
      {"with line information already",
       add("addd.s32 %0, %1, 1;"),
       {"k.cu(3): ptxas error: ", ">     3 | asm("},
       {.options = {"-lineinfo"}, .arch = "sm_90"}},
      {"with debug information",
       add("addd.s32 %0, %1, 1;"),
       {"k.cu(3): ptxas error: ", ">     3 | asm("},
       {.options = {"-G"}, .arch = "sm_90"}},
      {"behind #line",
       "__global__ void k(int* o) {\n#line 70 \"part\"\nasm(\"nothing;\");\n}\n",
       {"\"k.cu\": part(70): ptxas ", ">    70 | asm"}},
      {"features of one architecture",
       kernel("asm volatile(\"wgmma.fence.sync.aligned;\");"),
       {"k.cu(2): ptxas error: Instruction 'wgmma.fence' not supported on .target 'sm_90'", "\"native-a\"",
        "\"sm_90a\""}},
      {"features of newer architectures",
       kernel("asm volatile(\"griddepcontrol.wait;\");"),
       {"k.cu(2): ptxas error: ", "requires .target sm_90 or higher", "Compile for sm_90 or newer (arch)"},
       {.arch = "sm_80"}},
  });
}

TEST_CASE("ways out: limits") {
  check({
      {"constants",
       "__constant__ float c[9000], d[9000];\n__global__ void k(float* o, int i) { o[0] = c[i] + d[i]; }",
       {"\"k.cu\": ptxas error: File uses too much global constant data (0x11940 bytes, 0x10000 max)",
        "__constant__ variables have 64 KB in all"}},
      {"parameters",
       "struct S { int a[9000]; };\n__global__ void k(int* o, S s) { o[0] = s.a[o[1]]; }",
       {"k.cu(2): Error: Formal parameter space overflowed (36008 bytes", "in function k(int*, S)",
        "Pass a pointer to the data in device memory"}},
  });
  // Older ones leave this to the load.
  if (NvrtcLibrary::get().version_number().first < 13) return;
  check({{"shared memory",
          kernel("__shared__ int s[15000]; s[threadIdx.x] = o[0]; __syncthreads(); o[1] = s[31 - threadIdx.x];"),
          {"\"k.cu\": ptxas error: Entry function 'k(int*)' uses too much shared data (0xea60 bytes",
           "declare it as extern __shared__, and give its bytes at the launch"}}});
}

TEST_CASE("ways out: the user's own error, beside functions of the host") {
  check({
      {"a semicolon in one",
       "float f(float x) { return x }\nfloat g(float x) { return 2 * x; }\n" + kernel(""),
       {"\"k.cu\": k.cu(1): error: expected a \";\""}},
      {"a semicolon behind one",
       "float g(float x) { return 2 * x; }\n" + kernel("o[0] = g(1)\no[1] = 2;"),
       {"\"k.cu\": k.cu(4): error: expected a \";\""}},
      {"functions of a header",
       "#include \"host.h\"\n" + kernel("o[0] = 1\no[1] = 2;"),
       {"\"k.cu\": k.cu(4): error: expected a \";\"", "1 error detected in the compilation"},
       {.headers = {{"host.h", "int a(int x);\nint b(int x) { return x; }\nint c(int x) { return x; }\n"}}}},
  });
}

TEST_CASE("ways out: names that were meant, and names for the host") {
  check({
      {"a barrier", kernel("__syncthread();"), {"k.cu(2): error:", "Did you mean \"__syncthreads\""}},
      {"a shuffle", kernel("o[0] = __shfl_down(o[1], 1);"), {"k.cu(2): error:", "write __shfl_down_sync"}},
      {"NumPy's type", "__global__ void k(float32* o) {}", {"\"float32\" is undefined", "CUDA C++ has float."}},
      {"an allocation", kernel("int* p; cudaMalloc(&p, 4);"), {"k.cu(2): error:", "of CUDA's functions for the host"}},
      {"a function of warps without _sync", kernel("o[0] = __all(o[1]);"), {"k.cu(2): ", "write __all_sync"}},
      {"a call without an address",
       "#include <curand_kernel.h>\n" + kernel("curandState s; o[0] = curand_uniform(s);"),
       {"k.cu(3): error:", "argument types are: (curandState)", "Argument 1 is to be a pointer"}},
      {"vectors as numbers",
       kernel("float3 v, w = v * 2.f;"),
       {"operand types are: float3 * float", "have no operators"}},
      {"a texture's type",
       "__global__ void k(cudaTextureObject_t t, float* o) { o[0] = tex2D(t, 1.f, 2.f); }",
       {"k.cu(1): error:", "tex2D<float>(...)"}},
      {"an array's size", kernel("int a[o[0]]; o[1] = a[0];"), {"k.cu(2): error:", "extern __shared__"}},
      {"a brace",
       "__global__ void k(int* o) {\n  if (o) {\n  o[0] = 1;\n}\n",
       {"k.cu(1): error:", "to match this \"{\""}},
      {"a vector as a parameter",
       "__global__ void k(std::vector<int>* v) { v[0][0] = 1; }",
       {"k.cu(1): error: namespace \"std\" has no member \"vector\"", "of the host's C++ library"}},
      {"a vector", kernel("std::vector<int> v;"), {"k.cu(2): error:", "\"std::vector\" is of the host's C++ library"}},
      {"a power", kernel("float x = 2; o[0] = x ** 2;"), {"k.cu(2): error:", "pow(x, y)"}},
      {"a mark", kernel("o[%(X)d] = 1;"), {"k.cu(2): error:", "\"%(X)d\" looks like a template's mark"}},
      {"a header", "#include <pycuda-complx.hpp>\n", {"k.cu(1): ", "Did you mean \"pycuda-complex.hpp\"?"}},
      {"arrays of two types",
       "__global__ void a() { extern __shared__ float s[]; }\n__global__ void b() { extern __shared__ double s[]; }\n",
       {"k.cu(2): error:", "give each type a name of its own"}},
      {"a name expression of what is no template",
       "__global__ void scale(float* p) { p[0] = 1; }",
       {"\"k.cu\": name expression \"scale<float>\": error:", "\"scale\" is no template"},
       {.name_expressions = {"scale<float>"}}},
      {"a structure without its end",
       "struct P { float x, y; }\n\n__global__ void k(P* p) { p[0].x = 1; }",
       {"k.cu(3): error: expected a \";\"", "missing at the end of line 1, as also behind the } of a struct"}},
      {"a brace that is open",
       "__global__ void k(int* o) {\n  if (o[0]) { o[0] = '{';\n}\n__global__ void l(int* o) { o[0] = 1; }",
       {"k.cu(4): error:", "The { of line 1 is not closed above this line"}},
      {"a file's name", "kernel.cu", {"k.cu(1): error:", "SourceModule::from_file reads a file"}},
      {"a macro with a parameter's name",
       "template <int TILE> __global__ void k(int* o) { o[0] = TILE; }",
       {"k.cu(1): error:", "The macro TILE of the options replaces the template's parameter"},
       {.defines = {{"TILE", 4}}}},
      {"a short name of a namespace",
       "#include <cooperative_groups.h>\n" + kernel("o[0] = cg::this_thread_block().size();"),
       {"k.cu(3): error:", "namespace cg = cooperative_groups;"}},
      {"a namespace that was not opened",
       "#include <mma.h>\n" + kernel("wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;"),
       {"k.cu(3): error:", "using namespace nvcuda; behind #include <mma.h>"}},
      {"a second argument", kernel("o[0] = __ldg(o + 1, 4);"), {"k.cu(2): error:", "__ldg takes one argument"}},
      {"a half with a float",
       "#include <cuda_fp16.h>\n__global__ void k(half* h, float* o) { o[0] = h[0] * o[1]; }",
       {"k.cu(2): error:", "half converts from and to every number"}},
      {"a constant that a kernel writes",
       "__constant__ int limit;\n__global__ void k() { limit = 3; }",
       {"k.cu(2): error:", "a __constant__ variable, which kernels only read"}},
      {"a zero byte", kernel(std::string("o[0] \0= 1;", 10)), {"\"k.cu\" holds a zero byte", "byte 6 of line 2"}},
  });
}

TEST_CASE("ways out: arithmetic of constants, headers that the source misuses") {
  check({
      {"a division in a constant",
       kernel("const int n = 1 / (2 - 2); __shared__ int s[n]; o[0] = s[0];"),
       {"k.cu(2): error: expression must have a constant value: ", "division by zero\n"}},
      {"a division in a function",
       "__device__ constexpr int f(int a) { return 1 / a; }\n" + kernel("int s[f(0)]; o[0] = s[0];"),
       {"k.cu(3): error: expression must have a constant value: division by zero", " (line 1)\n"}},
      {"a tile's size",
       "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n" +
           kernel("auto t = cg::tiled_partition<24>(cg::this_thread_block()); o[0] = t.size();"),
       {"used by line 4 of k.cu\n", ">     4 | auto t = cg::tiled", "A tile has a power of two as its size"}},
      {"a name of another header",
       "#include <cooperative_groups.h>\n" + kernel("o[0] = cooperative_groups::reduce(o[1]);"),
       {"k.cu(3): error:", "#include <cooperative_groups/reduce.h>."}},
      {"a namespace's misspelt name",
       "#include <cooperative_groups.h>\n" + kernel("cooperative_groups::this_thread_blok();"),
       {"k.cu(3): error:", "Did you mean \"cooperative_groups::this_thread_block\""}},
  });
}

TEST_CASE("ways out: members, types and values") {
  const std::string expression = refusal({"",
                                          "template <class T> __global__ void k(T* v) {}",
                                          {},
                                          {.name_expressions = {"k<thrust::device_vector<int>>"}}});
  check_words("a name expression", expression,
              {"name expression \"k<thrust::device_vector<int>>\"", "pass a pointer, thrust::raw_pointer_cast"});
  CHECK_MESSAGE(expression.find("__nv_name_map") == std::string::npos, expression);
  check({
      {"an index", kernel("o[threadIdx.X] = 1;"), {"uint3 has the members x, y and z. Did you mean \"x\"?"}},
      {"a component", kernel("float4 v; v.r = 1;"), {"float4 has the members x, y, z and w."}},
      {"an atomic function of long",
       "__global__ void k(long* o) { atomicAdd(o, 1L); }",
       {"argument types are: (long *, long)", "(unsigned long long*)p"}},
      {"an atomic function of short",
       "__global__ void k(short* o) { atomicAdd(o, (short)1); }",
       {"argument types are: (short *, short)", "cuda::atomic_ref"}},
      {"half and an integer",
       "#include <cuda_fp16.h>\n__global__ void k(__half* o) { o[0] = o[1] + 1; }",
       {"operand types are: __half + int\n", "convert one side, as in __half(x)"}},
      {"the absolute value of no sign",
       "__global__ void k(unsigned* o) { o[0] = abs(o[1]); }",
       {"argument types are: (unsigned int)\n", "leave abs out"}},
      {"the greater of two types",
       "__global__ void k(float* o, int n) { o[0] = std::max(o[1], n); }",
       {"argument types are: (float, int)\n", "std::max<float>(a, b)"}},
      {"a cached load of a value", kernel("o[0] = __ldg(o[1]);"), {"(int)\n", "Argument 1 is to be a pointer"}},
      {"a cached load of a struct",
       "struct S { int a; };\n__global__ void k(int* o, const S* s) { o[0] = __ldg(s).a; }",
       {"__ldg is for CUDA's numbers and vectors of numbers, and not for const S"}},
      {"a standard",
       kernel(""),
       {"\"c++33\" is no value of the option --std: write c++03, "},
       {.options = {"-std=c++33"}, .arch = "sm_90"}},
  });
}

TEST_CASE("ways out: the same of nvcc" * needs_nvcc()) {
  const CompileOptions by_nvcc = {.backend = Backend::nvcc, .name_expressions = {"scale<float>"}};
  check({
      {"a vector",
       "#include <vector>\n" + kernel("std::vector<int> v(3); o[0] = v[0];"),
       {"k.cu(3): error:", "\"std::vector\" is of the host's C++ library"},
       {.backend = Backend::nvcc}},
      {"a name expression of what is no template",
       "__global__ void scale(float* p) { p[0] = 1; }",
       {"\"k.cu\": name expression \"scale<float>\": error:", "\"scale\" is no template"},
       by_nvcc},
  });
}

TEST_CASE("ways out: hints are chosen by the error, and not by a phrase of the source") {
  const std::string text =
      refusal({"",
               "// cannot open source file, Unresolved extern function\n" +
                   kernel("o[0] = wrong; // uses too much shared data, fatal error: a: No such file"),
               {}});
  check_words("comments", text, {"k.cu(3): error: identifier \"wrong\" is undefined"});
  for (const char* hint : {"include_dirs", "DynamicModule", "extern __shared__"})
    CHECK_MESSAGE(text.find(hint) == std::string::npos, text);
}

}  // namespace ways_out_test
