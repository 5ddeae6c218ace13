// NVRTC and nvcc compile a source to the same program, or a message names the difference: macros that the host compiler
// predefines, types and limits of its headers, and sources that use what NVRTC cannot have.
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include "compile/stand_ins/stand_in_headers.hpp"
#include "compile_bench.hpp"
#include "real_nvcc.hpp"
#include "worker/nvrtc/host_uses.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace host_likeness_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string kernel = "extern \"C\" __global__ void k(int* a) { a[0] = asked; }\n";

template <class Work>
std::string compile_error(Work work) {
  try {
    work();
  } catch (const CompileError& error) {
    return error.what();
  }
  return {};
}

std::string asking(const std::string& macro) {
  return "#ifdef " + macro + "\n__device__ const int asked = 1;\n#else\n__device__ const int asked = 2;\n#endif\n" +
         kernel;
}

CodeObject by(Backend backend, const std::string& source, CompileOptions options) {
  return compile(source, options.with_backend(backend));
}

std::string ptx(const std::string& source, CompileOptions options) {
  const CodeObject code = by(Backend::nvrtc, source, options.with_target(Target::ptx));
  return std::string(code.bytes());
}

bool answers(const std::string& source, int value, const CompileOptions& options) {
  return ptx(source, options).find(" " + std::to_string(value) + ";") != std::string::npos;
}

}  // namespace

TEST_CASE("a source for nvcc that nvcc refuses: the error is nvcc's, and says why it was asked" * needs_nvcc()) {
  const Bench bench;
  const std::string message = compile_error(
      [&] { compile(asking("__GNUC__") + "__global__ void f(int* a) { *a = misspelt; }\n", bench.options()); });
  CHECK(message.find("nvcc") == 0);
  CHECK(message.find("\"misspelt\" is undefined") != std::string::npos);
  CHECK(message.find("nvcc was asked because it asks for __GNUC__") != std::string::npos);
  CHECK(message.find("nvcc may compile this") == std::string::npos);
}

TEST_CASE("NVRTC has what the host compiler predefines, and a request's own -D and -U win") {
  const Bench bench;
  const auto value = [&](const std::string& of, const CompileOptions& options) {
    return ptx("extern \"C\" __global__ void k(int* a) { a[0] = " + of + "; }\n", options);
  };
  for (const char* const macro :
       {"__linux__", "__unix__", "__BYTE_ORDER__", "__INT_MAX__", "__FLT_MAX__", "__SIZE_TYPE__"})
    CHECK(answers(asking(macro), 1, bench.options()));
  CHECK(value("__linux__ + 40", bench.options()).find(" 41;") != std::string::npos);
  CHECK(value("__linux__ + 40", bench.options().with_defines({{"__linux__", 7}})).find(" 47;") != std::string::npos);
  CHECK(value("__linux__ + 40", bench.options().with_options({"-D__linux__=8"})).find(" 48;") != std::string::npos);
  CHECK(answers(asking("__linux__"), 2, bench.options().with_options({"-U__linux__"})));
  CHECK(answers(asking("__linux__"), 2, bench.options().with_options({"-U", "__linux__"})));
}

TEST_CASE("what Kiln defines is not shown as the user's option, and lines keep their numbers") {
  const Bench bench;
  const std::string error = compile_error([&] {
    compile("\n\n#error stop\n", bench.options().with_defines({{"MINE", 1}}));
  });
  CHECK(error.find("kernel.cu(3)") != std::string::npos);
  CHECK(error.find("-DMINE=1") != std::string::npos);
  CHECK(error.find("kiln_host") == std::string::npos);
}

TEST_CASE("a source that uses what NVRTC cannot have goes to nvcc" * needs_nvcc()) {
  const Bench bench;
  for (const char* const macro : {"__GNUC__", "__GLIBC__", "__COUNTER__", "__NVCC__"}) {
    const CodeObject code = compile(asking(macro), bench.options());
    CHECK(code.backend() == Backend::nvcc);
    CHECK(code.log().find(macro) == std::string::npos);
  }
  bench.header("inc/own.h", "#ifdef __GNUC__\n#define OWN 1\n#endif\n");
  const CompileOptions with_header = bench.options().with_include_dirs({bench.scratch / "inc"});
  CHECK(compile("#include <own.h>\n__global__ void k() {}\n", with_header).backend() == Backend::nvcc);
  CHECK(in_new_process([&] {
    const CodeObject code = compile("#include <own.h>\n__global__ void k() {}\n", with_header);
    return code.from_cache() && code.backend() == Backend::nvcc;
  }));
  CHECK(compile("#include \"own.h\"\n__global__ void k() {}\n",
                bench.options().with_headers({{"own.h", "#if defined(__GNUC__)\n#endif\n"}}))
            .backend() == Backend::nvcc);
}

TEST_CASE("a source that knows NVRTC is NVRTC's, and so is one that only mentions such a macro in comments") {
  const Bench bench;
  const auto backend = [&](const std::string& text) { return compile(text, bench.options()).backend(); };
  CHECK(backend("#ifdef __CUDACC_RTC__\n#elif defined(__GNUC__)\n#endif\n__global__ void k() {}\n") == Backend::nvrtc);
  CHECK(backend("// __GNUC__\n__global__ void k() { const char* s = \"__GNUC__\"; (void)s; }\n") == Backend::nvrtc);
  bench.header("inc/lib.h", "#ifdef __CUDACC_RTC__\n#endif\n#include \"part.h\"\n");
  bench.header("inc/part.h", "#ifdef __GNUC__\n#endif\n");
  CHECK(
      compile("#include <lib.h>\n__global__ void k() {}\n", bench.options().with_include_dirs({bench.scratch / "inc"}))
          .backend() == Backend::nvrtc);
}

TEST_CASE(
    "a source that knows NVRTC and asks for the host compiler elsewhere gets a warning, by each compiler's choice") {
  const Bench bench;
  const CodeObject code = compile("#ifdef __CUDACC_RTC__\n#endif\n" + asking("__GNUC__"), bench.options());
  CHECK(code.backend() == Backend::nvrtc);
  CHECK(code.log().find("__GNUC__") != std::string::npos);
}

TEST_CASE("NVRTC alone compiles such a source with a warning that names the difference, and keeps that code apart") {
  const Bench bench;
  Decisions decisions;
  const CompileOptions alone = bench.options().with_nvcc({"/no/such/nvcc"}).with_backend(Backend::nvrtc);
  const std::string source = asking("__GNUC__");
  const CodeObject code = compile(source, alone);
  CHECK(code.backend() == Backend::nvrtc);
  CHECK(code.log().find("__GNUC__") != std::string::npos);
  CHECK(decisions.text.find("asks for __GNUC__") != std::string::npos);
  CHECK(in_new_process([&] {
    const CodeObject again = compile(source, alone);
    return again.from_cache() && again.log().find("__GNUC__") != std::string::npos;
  }));
  bench.header("inc/own.h", "#ifdef __GLIBC__\n#endif\n");
  CHECK(compile("#include <own.h>\n__global__ void k() {}\n",
                CompileOptions(alone).with_include_dirs({bench.scratch / "inc"}))
            .log()
            .find("__GLIBC__ in own.h. Have nvcc compile it") != std::string::npos);
}

TEST_CASE("where nvcc refuses such a source, NVRTC compiles it" * needs_nvcc()) {
  const Bench bench;
  bench.scratch.write("bin/nvcc", "#!/bin/sh\necho 'no host compiler' >&2\nexit 1\n");
  std::filesystem::permissions(bench.scratch / "bin/nvcc", std::filesystem::perms::owner_all);
  const CompileOptions options = bench.options().with_nvcc({(bench.scratch / "bin/nvcc").string()});
  CHECK(compile(asking("__GNUC__"), options).log().find("__GNUC__") != std::string::npos);
  // The same code is not that of a machine whose nvcc works.
  CHECK(compile(asking("__GNUC__"), bench.options()).backend() == Backend::nvcc);
}

TEST_CASE("int64_t is long, and long long where libcu++ makes it so") {
  const Bench bench;
  const std::string probe =
      "template <class T> struct is_long { static const int v = 32; };\n"
      "template <> struct is_long<long> { static const int v = 31; };\n"
      "extern \"C\" __global__ void k(int* a) { a[0] = is_long<int64_t>::v; }\n";
  const auto is = [&](const std::string& before, int value) { return answers(before + probe, value, bench.options()); };
  CHECK(is("#include <stdint.h>\n", 31));
  CHECK(is("#include <cstdint>\n", 31));
  CHECK(is("", 31));  // because of the names that nvcc's own headers declare
  CHECK(is("#include <stdint.h>\n#include <cuda/std/cstdint>\n", 32));
  CHECK(is("#include <cuda/std/cstdint>\n#include <stdint.h>\n", 32));
  bench.header("inc/own.h", "#include <cuda/std/cstdint>\n");
  CHECK(answers("#include <stdint.h>\n#include <own.h>\n" + probe, 32,
                bench.options().with_include_dirs({bench.scratch / "inc"})));
  // nvcc refuses it; NVRTC compiled it before.
  CHECK_NOTHROW(compile("#include <stdint.h>\n__global__ void k(uint64_t* a) { atomicAdd(a, 1); }\n", bench.options()));
}

TEST_CASE("where libcu++ makes int64_t long long, a source that distinguishes long goes to nvcc" * needs_nvcc()) {
  const Bench bench;
  const std::string head = "#include <cuda/std/cstdint>\n#include <stdint.h>\n";
  CHECK(compile(head + "__device__ int f(long) { return 1; }\n__device__ int f(long long) { return 2; }\n"
                       "__global__ void k(int* a) { *a = f((int64_t)1); }\n",
                bench.options())
            .backend() == Backend::nvcc);
  CHECK(compile(head + "__global__ void k(int64_t* a) { *a = (long)a[1]; }\n", bench.options()).backend() ==
        Backend::nvrtc);
}

TEST_CASE("a source that tests a name of nvcc's own headers gets it") {
  const Bench bench;
  const std::string source =
      "#ifndef M_PI\n#define M_PI 3\n#endif\nextern \"C\" __global__ void k(int* a) { a[0] = M_PI * 100; }\n";
  CHECK(answers(source, 314, bench.options()));
  // A source of its own that clashes with them compiles without.
  CHECK_NOTHROW(
      compile("#ifndef M_PI\n#endif\ntypedef char uint;\n__global__ void k(uint* a) { *a = 1; }\n", bench.options()));
}

TEST_CASE("128-bit integers are there where a source mentions them") {
  const Bench bench;
  CHECK(answers(asking("__SIZEOF_INT128__"), 1, bench.options()));
  CHECK_NOTHROW(by(Backend::nvrtc, "__global__ void k(long* a) { *a = (long)((__int128)a[0] * a[1] >> 64); }\n",
                   bench.options()));
}

TEST_CASE("which words of a text differ between NVRTC and nvcc") {
  const auto macro = [](const std::string& text) { return host_uses(text).macro; };
  CHECK(macro("#if defined(__GNUC__) && X\n") == "__GNUC__");
  CHECK(macro("#if defined(__GNUC__) && !defined(__CUDACC_RTC__)\n__GNUC__\n#endif\n").empty());
  CHECK(macro("#if defined(__CUDACC_RTC__)\n#elif defined(__GNUC__)\n#if __NVCC__\n#endif\n#endif\n").empty());
  CHECK(macro("#if defined(__CUDACC_RTC__)\n#endif\n#if __NVCC__\n#endif\n") == "__NVCC__");
  CHECK(macro("int x = __COUNTER__;") == "__COUNTER__");
  CHECK(macro("#ifdef __linux__\n#endif\n").empty());
  CHECK(macro("/* __GNUC__ */ const char* s = \"__GNUC__\";\n").empty());
  CHECK(macro("int __GNUCX_not = MY__GNUC__;\n") == "__GNUCX_not");
  const auto tells = [](const std::string& text) { return host_uses(text).distinguishes_long; };
  CHECK(tells("int f(long);"));
  CHECK(tells("int f(int a, const unsigned long& b);"));
  CHECK(tells("template <> struct t<long> {};"));
  CHECK(tells("is_same<T, long>::value"));
  CHECK(tells("int f(long int x);"));
  CHECK_FALSE(tells("int f(long long);"));
  CHECK_FALSE(tells("long x = (long)y;"));
  CHECK_FALSE(tells("sizeof(long)"));
  CHECK_FALSE(tells("static_cast<long>(x)"));
  CHECK_FALSE(tells("int f(long double);"));
  const std::vector<std::string> tested = host_uses("#ifndef A\n#if defined B || defined(C)\n#define D\n").tested;
  CHECK(tested == std::vector<std::string>{"A", "B", "C"});
}

}  // namespace host_likeness_test
