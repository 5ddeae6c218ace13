// What a message says about an error: by logs of NVRTC and nvcc that were written down.
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/misspelt_name.hpp"
#include "compile/compiler/odd_character.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace error_advice_test {

using namespace kiln;

/// The message about an error at the first line of a source, which the log shows with its mark under `at`.
std::string message(const std::string& line, const std::string& error, const std::string& at = {}) {
  const std::size_t column = at.empty() ? 0 : line.find(at);
  const std::string log = "k.cu(1): error: " + error + "\n  " + line + "\n  " + std::string(column, ' ') + "^\n";
  return compile_message({"NVRTC 13.0", "k.cu", line + "\n", nullptr, log, {}});
}

std::string host_only(const std::string& function) {
  return message("__global__ void k() {}",
                 "calling a __host__ function(\"" + function + "\") from a __global__ function(\"k\") is not allowed");
}

std::string undefined(const std::string& name, const std::string& source) {
  return message(source, "identifier \"" + name + "\" is undefined", name);
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

#define CHECK_SAYS(text, words) CHECK_MESSAGE(says(text, words), text)
#define CHECK_SILENT(text, words) CHECK_MESSAGE(!says(text, words), text)

TEST_CASE("advice: what is of the host's C++ library, by the function that nvcc names") {
  struct Case {
    const char* function;
    const char* name;
    const char* instead;
  };
  for (const Case& one : {
           Case{"std::vector<float, ::std::allocator<float> > ::vector(unsigned long)", "std::vector", "float v[3]"},
           {"std::basic_ostream<char, std::char_traits<char> >::operator <<(float)", "std::basic_ostream",
            "use printf"},
           {"std::complex<T1>   ::std::operator *<float> (const     ::std::complex<T1>  &)", "std::complex",
            "cuda::std::complex"},
           {"std::enable_if<std::__and_<    ::std::__not_<T1> > ::value, void> ::type  ::std::swap<float> (T1 &, T1 &)",
            "std::swap", "cuda::std's of <cuda/std/utility>"},
           {"T2  ::std::accumulate<float *, float> (T1, T1, T2)", "std::accumulate", "write a loop"},
           {"void  ::std::sort<float *> (T1, T1)", "std::sort", "CUB"},
           {"std::__cxx11::basic_string<char,     ::std::char_traits<char> > ::basic_string(const char *)",
            "std::basic_string", "arrays of char"},
           {"std::map<int, int,     ::std::less<int> > ::operator [](int &&)", "std::map", "sorted or hashed"},
           {"std::unique_ptr<int,     ::std::default_delete<int> > ::unique_ptr(int *)", "std::unique_ptr", "pointers"},
           {"std::function<int (int)> ::function<T1> (T1 &&)", "std::function", "a lambda"},
           {"std::mutex::lock()", "std::mutex", "cuda::atomic"},
           {"std::chrono::_V2::steady_clock::now()", "std::chrono", "clock64()"},
           {"rand", "rand", "curand_uniform"},
           {"sprintf", "sprintf", "printf"},
           {"exit", "exit", "__trap()"},
           {"cudaMemcpy", "cudaMemcpy", "DeviceBuffer"},
       }) {
    const std::string text = host_only(one.function);
    CHECK_SAYS(text, "\n\"" + std::string(one.name) + "\" is of ");
    CHECK_SAYS(text, one.instead);
    CHECK_SILENT(text, "Declare the function");
  }
  CHECK_SAYS(host_only("helper(int)"), "Declare the function with __device__");
  CHECK_SAYS(host_only("my_std::sort(int)"), "Declare the function with __device__");
  CHECK_SAYS(host_only("std::some_function(int)"), "under cuda::std");
  CHECK_SAYS(message("x", "identifier \"table\" is undefined in device code"),
             "Declare it with __device__ or __constant");
  CHECK_SAYS(message("x", "device code does not support exception handling"), "Kernels do not throw");
}

TEST_CASE("advice: members of std that are not there") {
  const auto lacks = [](const std::string& name, const std::string& source) {
    return message(source, "namespace \"std\" has no member \"" + name + "\"", name);
  };
  CHECK_SAYS(lacks("vector", "std::vector<int> v;"), "\"std::vector\" is of the host's C++ library");
  CHECK_SAYS(lacks("cout", "std::cout << 1;"), "use printf");
  CHECK_SAYS(lacks("array", "std::array<int, 3> a;"), "#include <array>");
  CHECK_SAYS(lacks("sqrtt", "std::sqrtt(2.f);"), "Did you mean \"sqrt\"");
}

TEST_CASE("advice: names that CUDA removed, or that are of other languages") {
  CHECK_SAYS(undefined("__shfl_down", "x = __shfl_down(y, 1);"),
             "CUDA removed \"__shfl_down\": write __shfl_down_sync");
  CHECK_SAYS(undefined("__ballot", "x = __ballot(y);"), "__ballot_sync");
  CHECK_SAYS(undefined("float32", "__global__ void k(float32* x);"), "is of NumPy: CUDA C++ has float.");
  CHECK_SAYS(undefined("uint8", "__global__ void k(uint8* x);"), "unsigned char");
  CHECK_SAYS(undefined("True", "if (True)"), "is of Python: CUDA C++ has true.");
  CHECK_SAYS(undefined("get_global_id", "int i = get_global_id(0);"), "blockIdx.x * blockDim.x + threadIdx.x");
  CHECK_SAYS(undefined("complex", "complex<float> z;"), "#include <pycuda-complex.hpp>, and write pycuda::complex");
  CHECK_SAYS(undefined("cudaMalloc", "cudaMalloc(&p, 4);"), "of CUDA's functions for the host");
  CHECK_SAYS(undefined("cudaEventRecord", "cudaEventRecord(e);"), "of CUDA's functions for the host");
}

TEST_CASE("advice: the nearest of CUDA's names and of the source's") {
  CHECK_SAYS(undefined("__syncthread", "__syncthread();"),
             "Did you mean \"__syncthreads\" instead of \"__syncthread\"?");
  CHECK_SAYS(undefined("tex2d", "tex2d<float>(t, x, y);"), "Did you mean \"tex2D\"");
  CHECK_SAYS(undefined("atomic_add", "atomic_add(o, 1);"), "Did you mean \"atomicAdd\"");
  CHECK_SAYS(undefined("Partcle", "struct Particle {}; __global__ void k(Partcle* p);"), "Did you mean \"Particle\"");
  CHECK_SAYS(undefined("cuont", "void k(int count) { if (cuont) return; }"), "Did you mean \"count\"");
  // Names in comments and strings, members, and names that are refused themselves are none of the source's.
  CHECK_SILENT(undefined("lenght", "/* length */ x = \"length\" + lenght;"), "Did you mean");
  CHECK_SILENT(undefined("lenght", "x = s.length + lenght;"), "Did you mean");
  const std::string two =
      "k.cu(1): error: identifier \"name_1\" is undefined\nk.cu(1): error: identifier \"name_2\" is undefined\n";
  CHECK_SILENT(compile_message({"NVRTC 13.0", "k.cu", "x = name_1 + name_2;", nullptr, two, {}}), "Did you mean");
  CHECK_SILENT(undefined("foo", "for (;;) foo();"), "Did you mean");
}

TEST_CASE("advice: a namespace that is declared nowhere") {
  const auto lacks = [](const std::string& name, const std::string& source) {
    return message(source, "name followed by \"::\" must be a class or namespace name", name);
  };
  const std::string text = lacks("Eigen", "__global__ void k(Eigen::Matrix3f* z) {}");
  CHECK_SILENT(text, "Did you mean");
  CHECK_SAYS(text,
             "No namespace or class \"Eigen\" is declared: #include its header, and name the header's folder by "
             "include_dirs (-I).");
  CHECK_SAYS(lacks("cub", "cub::BlockReduce<int, 64> b;"), "#include <cub/cub.cuh>");
  CHECK_SAYS(lacks("cooperative_group", "cooperative_group::sync(cooperative_groups);"), "Did you mean");
}

TEST_CASE("advice: CUDA's vector types and the indices of threads") {
  const auto operators = [](const std::string& line, const std::string& name, const std::string& types) {
    return message(line,
                   "no operator \"" + name + "\" matches these operands\n            operand types are: " + types);
  };
  CHECK_SAYS(operators("float3 d = v * dt;", "*", "float3 * float"), "CUDA's vector types have no operators");
  CHECK_SAYS(operators("v = -v;", "-", "- const int4"), "CUDA's vector types have no operators");
  CHECK_SILENT(operators("a = a * b;", "*", "Matrix3 * float"), "vector types");
  constexpr const char* component = "name the component that is meant, such as ";
  CHECK_SAYS(operators("a[threadIdx] = 1;", "[]", "float * [ const uint3 ]"), component);
  CHECK_SAYS(operators("i = blockIdx * blockDim;", "*", "const uint3 * const dim3"), component);
  CHECK_SILENT(operators("a[threadIdx] = 1;", "[]", "float * [ const uint3 ]"), "vector types");
  CHECK_SAYS(message("int j = threadIdx;", "no suitable conversion function from \"const uint3\" to \"int\" exists"),
             component);
  CHECK_SILENT(operators("u[threadIdx.x] = u3 * 2;", "*", "uint3 * int"), component);
}

TEST_CASE("advice: an array's size, and a macro that is defined as nothing") {
  CHECK_SAYS(message("float tmp[n];", "expression must have a constant value", "n]"),
             "The size of an array is a constant");
  CHECK_SILENT(message("case n: break;", "expression must have a constant value", "n:"), "The size of an array");
  const std::string text = compile_message(
      {"NVRTC 13.0",
       "k.cu",
       "#define TILE\nfloat a[TILE][TILE + 1];\n",
       nullptr,
       "k.cu(2): error: incomplete type \"float [][1]\" is not allowed\n  float a[TILE][TILE + 1];\n        ^\n",
       {}});
  CHECK_SAYS(text, "The macro TILE is defined as nothing: give it a value, such as #define TILE 16 or -DTILE=16.");
  const auto with_option = [](const std::string& option) {
    return compile_message({"NVRTC 13.0",
                            "k.cu",
                            "i < M; }",
                            nullptr,
                            "k.cu(1): error: expected an expression\n  i < M; }\n       ^\n",
                            {option}});
  };
  CHECK_SAYS(with_option("-DM="), "The macro M is defined as nothing");
  CHECK_SILENT(with_option("-DM"), "defined as nothing");
  CHECK_SILENT(with_option("-DN="), "defined as nothing");
  CHECK_SILENT(message("float a[];", "incomplete type \"float []\" is not allowed", "a"), "defined as nothing");
}

TEST_CASE("advice: calls of CUDA's functions with other arguments") {
  const auto call = [](const std::string& line, const std::string& name, const std::string& types) {
    const std::string column(line.find(name), ' ');
    return compile_message({"NVRTC 13.0",
                            "k.cu",
                            line,
                            nullptr,
                            "k.cu(1): error: no instance of overloaded function \"" + name +
                                "\" matches the argument list\n            argument types are: (" + types + ")\n  " +
                                line + "\n  " + column + "^\n",
                            {}});
  };
  CHECK_SAYS(call("v = tex2D(t, 1.f, 2.f);", "tex2D", "cudaTextureObject_t, float, float"),
             "Name the type of what it reads: tex2D<float>(");
  CHECK_SAYS(call("v = surf2Dread(s, 1, 2);", "surf2Dread", "cudaSurfaceObject_t, int, int"), "surf2Dread<float>(");
  CHECK_SILENT(call("v = tex2D<float>(t);", "tex2D", "cudaTextureObject_t"), "Name the type");
  CHECK_SAYS(call("v += __shfl_xor_sync(v, m);", "__shfl_xor_sync", "float, int"),
             "__shfl_xor_sync(mask, value, lane): its first argument is the mask of the lanes that take part, such as "
             "0xffffffff.");
  CHECK_SAYS(message("b = __ballot_sync(v > 0);", "too few arguments in function call", ")"),
             "__ballot_sync(mask, predicate): its first argument");
  CHECK_SILENT(message("f(1);", "too few arguments in function call", ")"), "mask");
  const std::string vote =
      "ptxas application ptx input, line 5; error   : Instruction 'vote' without '.sync' is not supported on .target "
      "sm_70 and higher from PTX ISA version 6.4\n";
  FailedCompile failed{"NVRTC 13.0", "k.cu", "if (__all(x)) y = 1;", nullptr, vote, {}};
  CHECK_SAYS(compile_message(failed), "the _sync functions, such as __all_sync, whose first argument is the mask");
}

TEST_CASE("advice: what C, or a slip, has instead of CUDA's words") {
  CHECK_SAYS(message("int x = a[1] % 2;", "expression must have integral or unscoped enum type", "a["), "fmodf(x, y)");
  CHECK_SILENT(message("int x = a[1] & 2;", "expression must have integral or unscoped enum type", "a["), "fmodf");
  CHECK_SAYS(message("__shared__ float a = 0;", "initializer not allowed for __shared__ variable ", "a"),
             "then __syncthreads()");
  CHECK_SAYS(message("void k(float *restrict z) {}", "expected a \")\"", "z"), "is of C: CUDA C++ has __restrict__.");
  CHECK_SAYS(undefined("restrict", "const float * restrict y;"), "is of C: CUDA C++ has __restrict__.");
  CHECK_SILENT(message("void k(float z w) {}", "expected a \")\"", "w"), "__restrict__");
  for (const char* name : {"_global_", "__global", "__global_", "__device", "_device_"})
    CHECK_SAYS(
        message(std::string(name) + " void k() {}", "this declaration has no storage class or type specifier", name),
        std::string("Did you mean \"__") + (name[2] == 'd' || name[1] == 'd' ? "device" : "global") + "__\"");
  CHECK_SILENT(message("kernel1(int a) { kernel2(); }", "this declaration has no storage class or type specifier", "k"),
               "Did you mean");
}

TEST_CASE("advice: marks of templates that were not filled in") {
  CHECK_SAYS(message("o[%(X)d] = 1;", "expected an expression", "%"), "\"%(X)d\" looks like a template's mark");
  CHECK_SAYS(message("i < {{ n }};", "expected an expression", "{ n"), "\"{{ n }}\" looks like");
  CHECK_SAYS(message("{% for i in x %}", "expected a declaration", "{"), "kiln::render_template");
  CHECK_SAYS(message("o[${n}] = 1;", "unrecognized token", "$"), "\"${n}\" looks like");
  CHECK_SAYS(message("float b = $x;", "identifier \"$x\" is undefined", "$"), "\"$x\" looks like");
  CHECK_SAYS(message("void k(%s* p)", "expected a type specifier", "%"), "\"%s\" looks like");
  CHECK_SAYS(message("% for i in x:", "expected an expression", "%"), "looks like");
  CHECK_SAYS(message("int i = j * {block};", "expected an expression", "{"), "\"{block}\" looks like");
  CHECK_SAYS(message("y[i] = {0} * x;", "expected a \";\"", "* x"), "\"{0}\" looks like");
  CHECK_SAYS(message("float v[{n}];", "expected an expression", "{"), "kiln::substitute");
  CHECK_SAYS(message("i = @BLOCK@ + 1;", "unrecognized token", "@"), "\"@BLOCK@\" looks like");
  CHECK_SILENT(message("int a[1] = {n};", "identifier \"n\" is undefined", "n}"), "looks like");
  CHECK_SILENT(message("int a[1] = {0} int b;", "expected a \";\"", "int b"), "looks like");
  CHECK_SILENT(message("f({0}) g();", "expected a \";\"", "g"), "looks like");
  CHECK_SILENT(message("f(\"%(X)d\") 1;", "expected a \";\"", "1"), "looks like");
  CHECK_SILENT(message("a = b %d c;", "expected a \";\"", "c"), "looks like");
  CHECK_SILENT(message("int a[1][2] = {{ 1, 2 }} b;", "expected a \";\"", "b"), "looks like");
  CHECK_SILENT(message("x = %(X)d; y = 1 2;", "expected a \";\"", "2;"), "looks like");
}

TEST_CASE("advice: Python's operators, asm's constraints, shared arrays, fragments") {
  CHECK_SAYS(message("x = y ** 2;", "operand of \"*\" must be a pointer but has type \"int\"", "2"),
             "write x * x, or pow(x, y)");
  CHECK_SILENT(message("x = *y;", "operand of \"*\" must be a pointer but has type \"int\"", "y"), "pow(x, y)");
  CHECK_SAYS(message("x = 1.5j;", "user-defined literal operator not found", "1"),
             "Numbers that end in j are Python's");
  CHECK_SILENT(message("x = 1_km;", "user-defined literal operator not found", "1"), "Python");
  CHECK_SAYS(message("extern __shared__ double s[];",
                     "declaration is incompatible with previous \"s\" (declared at line 1)", "s["),
             "give each type a name of its own");
  CHECK_SILENT(message("int s;", "declaration is incompatible with previous \"s\" (declared at line 1)"), "each type");
  CHECK_SAYS(message("x", "asm operand type size(4) does not match type/size implied by constraint 'd'"),
             "\"d\" double");
  CHECK_SAYS(message("x",
                     "incomplete type \"nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 15, 16, 16, half>\" is not "
                     "allowed"),
             "16x16x16");
}

TEST_CASE("advice: marks of other templates in an expression") {
  const auto marked = [](const std::string& line, const std::string& error, const std::string& at,
                         const std::string& mark) {
    CHECK_SAYS(message(line, error, at), "\"" + mark + "\" looks like a template's mark");
  };
  marked("y[i] = {0} * x[i]", "expected a \";\"", "*", "{0}");
  marked("y[i] = x[{n}]", "a brace-enclosed list is not allowed here", "{", "{n}");
  marked("y[i] = x[i] + {}", "expected an expression", "{", "{}");
  marked("y[i] = x[i] + {{n}}", "expected an expression", "{", "{{n}}");
  marked("y[i] = x[i] + @n@", "unrecognized token", "@", "@n@");
  marked("y[i] = x[i] + <%= n %>", "expected an expression", "<", "<%= n %>");
  marked("y[i] = x[i] + #{n}", "\"#\" not expected here", "#", "#{n}");
  marked("void {{ name }}() x", "expected a \";\"", "{", "{{ name }}");
  CHECK_SAYS(message("y[i] = {0} * x[i]", "expected a \";\"", "*"), "kiln::substitute, whose marks are ${name}, gives");
  CHECK_SILENT(message("int a[2] = {0} b;", "expected a \";\"", "b"), "looks like");
  CHECK_SILENT(message("f({}) b;", "expected a \";\"", "b"), "looks like");
  CHECK_SILENT(message("int a{n} b;", "expected a \";\"", "b"), "looks like");
  CHECK_SILENT(message("if (x) {n;} b", "expected a \";\"", "b"), "looks like");
}

TEST_CASE("advice: a header's name that is misspelt") {
  const auto lacks = [](const std::string& log, const std::map<std::string, std::string>& headers) {
    return compile_message({"NVRTC 13.0", "k.cu", "#include <x>\n", &headers, log, {}});
  };
  CHECK_SAYS(lacks("k.cu(1): catastrophic error: cannot open source file \"pycuda-complx.hpp\"", {}),
             "Did you mean \"pycuda-complex.hpp\"? Headers are found in");
  CHECK_SAYS(lacks("k.cu:1:10: fatal error: curand_kernal.h: No such file or directory", {}), "\"curand_kernel.h\"?");
  CHECK_SAYS(lacks("k.cu:1:10: fatal error: particel.h: No such file or directory", {{"particle.h", ""}}),
             "Did you mean \"particle.h\"?");
  CHECK_SILENT(lacks("k.cu(1): catastrophic error: cannot open source file \"stdio.h\"", {}), "Did you mean");
}

TEST_CASE("advice: name expressions, without NVRTC's names of its own in the headline") {
  const auto refused = [](const std::string& expression, const std::string& error, const std::string& source) {
    const std::string log = with_name_expressions("__nv_name_map(2): error: " + error + "\n  #pragma nv_mangled_name " +
                                                  expression + "\n  ^\n");
    const std::string text = compile_message({"NVRTC 13.0", "k.cu", source, nullptr, log, {}});
    CHECK(says(text, "\"k.cu\": name expression \"" + expression + "\": error: " + error));
    return text.substr(0, text.find("log:"));
  };
  const std::string plain = refused("scale<float>", "type name is not allowed", "__global__ void scale(float* x) {}");
  CHECK_SAYS(plain, "\"scale\" is no template");
  CHECK_SILENT(plain, "__nv_name_map");
  const std::string source = "template <class T, int n> __global__ void red(T* x) {}\n__global__ void other() {}\n";
  const std::string argument = refused("red<floot,64>", "identifier \"floot\" is undefined", source);
  CHECK_SAYS(argument, "\"floot\" is not declared in the source. Did you mean \"float\"");
  CHECK_SAYS(argument, "template <class T, int n> red");
  CHECK_SAYS(refused("red<half,64>", "identifier \"half\" is undefined", source), "#include <cuda_fp16.h>.");
  CHECK_SAYS(refused("red<cuda::std::array<int,3>,64>", "name followed by \"::\" must be a class", source),
             "#include <cuda/std/array>.");
  CHECK_SAYS(refused("red<thrust::device_vector<int>,64>", "expected an identifier", source),
             "pass a pointer, thrust::raw_pointer_cast(v.data()), and the size");
  CHECK_SAYS(refused("red<float>", "cannot determine which instance", source), "do not fit its template");
  CHECK_SAYS(refused("rde<float,2>", "identifier \"rde\" is undefined", source), "did you mean \"red<float,2>\"?");
  CHECK_SAYS(refused("nothing", "identifier \"nothing\" is undefined", source),
             "It has template <class T, int n> red, other.");
  CHECK_SAYS(refused("f<int>", "identifier \"f\" is undefined", "int x;"), "The source itself has no kernel.");
  const std::string nvcc = compile_message(
      {"nvcc", "k.cu", "__global__ void scale() {}", nullptr, "name expression scale<int>(1): error: type name", {}});
  CHECK_SAYS(nvcc, "\"k.cu\": name expression \"scale<int>\": error: type name\n\"scale\" is no template");
}

TEST_CASE("a log has name expressions where NVRTC's has a file and a #pragma of its own") {
  const std::string log =
      "k.cu(1): warning #1-D: w\n  x\n  ^\n\n"
      "__nv_name_map(2): error: identifier \"half\" is undefined\n  #pragma nv_mangled_name k<half>\n"
      "                            ^\n\n1 error detected in the compilation of \"k.cu\".\n";
  CHECK(with_name_expressions(log) ==
        "k.cu(1): warning #1-D: w\n  x\n  ^\n\n"
        "name expression k<half>(1): error: identifier \"half\" is undefined\n  k<half>\n"
        "    ^\n\n1 error detected in the compilation of \"k.cu\".\n");
  CHECK(with_name_expressions("k.cu(1): error: x\n  ^") == "k.cu(1): error: x\n  ^");
  CHECK(with_name_expressions("__nv_name_map(2): error: x") == "name expression (1): error: x\n");
}

TEST_CASE("a zero byte: its place, or that the text is UTF-16") {
  CHECK(zero_byte_text("\"k.cu\"", std::string("ab\ncd\0e and more text", 21)) ==
        "\"k.cu\" holds a zero byte (U+0000) as byte 3 of line 2, where the compiler would stop reading: remove it");
  CHECK_SAYS(zero_byte_text("\"k.cu\"", std::string("\xFF\xFE_\0v\0", 6)),
             "\"k.cu\" is not UTF-8: it seems to be UTF-16");
  CHECK_SAYS(zero_byte_text("\"k.cu\"", std::string("_\0v\0o\0i\0d\0", 10)), "UTF-16");
}

}  // namespace error_advice_test
