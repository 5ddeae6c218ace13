// Wrong sources and requests: each error names the thing at fault, and the way out.
#include "environment_guard.hpp"
#include "link_bench.hpp"
#include "real_nvcc.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ways_out_test {

using namespace kiln;
using kiln::test::Bench;
using kiln::test::EnvironmentGuard;
using kiln::test::LinkBench;

namespace {

using Words = std::vector<std::string_view>;

/// One source that does not compile.
struct Wrong {
  const char* what;
  std::string source;
  Words words;  // the thing at fault, and the way out
  CompileOptions options = {};
};

std::string kernel(const std::string& body) { return "__global__ void k(int* o) {\n" + body + "\n}\n"; }

/// What Kiln says of it.
std::string refusal(const std::function<void()>& request) {
  try {
    request();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

std::string refusal(const Wrong& wrong) {
  CompileOptions options = wrong.options;
  options.cache = false;
  if (options.name.empty()) options.name = "k.cu";
  const bool has_arch = !options.arch.empty() || !options.options.empty() || !options.nvcc.code.empty();
  if (!has_arch) options.arch = "sm_90";
  return refusal([&] { compile(wrong.source, options); });
}

void check_words(const char* what, const std::string& text, const Words& words) {
  CAPTURE(what);
  for (const std::string_view word : words)
    CHECK_MESSAGE(text.find(word) != std::string::npos, text << "\n lacks " << std::string(word));
}

void check(const std::vector<Wrong>& all) {
  for (const Wrong& wrong : all) check_words(wrong.what, refusal(wrong), wrong.words);
}

/// Older ones leave some limits to the load.
bool is_nvrtc_13() { return NvrtcLibrary::get().version_number().first >= 13; }

}  // namespace

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
      {"too many arguments", "__device__ int f(int);\n" + kernel("o[0] = f(1, 2);"), {"k.cu(3): error: too many arg"}},
      {"a static_assert", "static_assert(sizeof(int) == 5, \"no int\");", {"k.cu(1): error:", "no int"}},
      {"an #error", "#error Define N\n" + kernel(""), {"k.cu(1): error: #error directive: Define N"}},
      {"a template without a match",
       "template <class T> __device__ T f(T, T);\n" + kernel("o[0] = f(1, 2.0);"),
       {"k.cu(3): error: no instance of function template \"f\" matches", "(int, double)"}},
      {"a template without an end",
       "template <int n> struct F { static const int value = F<n - 1>::value; };\n" + kernel("o[0] = F<1>::value;"),
       {"k.cu(1): error: excessive recursion at instantiation", "needs a specialisation at which it ends"}},
      {"a name expression",
       "template <class T> __global__ void scale(T* p) { p[0] *= 2; }",
       {"name expression", "did you mean \"scale\"?"},
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
       {"Character 17 of line 2 is a no-break space"}},
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
  if (!is_nvrtc_13()) return;
  check({{"shared memory",
          kernel("__shared__ int s[15000]; s[threadIdx.x] = o[0]; __syncthreads(); o[1] = s[31 - threadIdx.x];"),
          {"\"k.cu\": ptxas error: Entry function 'k(int*)' uses too much shared data (0xea60 bytes",
           "declare it as extern __shared__, and give its bytes at the launch"}}});
}

TEST_CASE("ways out: architectures") {
  const std::string source = kernel("o[0] = 1;");
  check({
      {"sm_90f", source, {"there is no sm_90f", "begin with sm_100", "write sm_90 or sm_90a"}, {.arch = "sm_90f"}},
      {"sm_86a", source, {"there is no sm_86a", "begin with sm_90", "write sm_86"}, {.arch = "sm_86a"}},
      {"sm_75f", source, {"there is no sm_75f", "write sm_75"}, {.arch = "sm_75f"}},
      {"compute_80a", source, {"there is no compute_80a", "write compute_80"}, {.arch = "compute_80a"}},
      {"86a", source, {"arch \"86a\": there is no sm_86a", "write sm_86"}, {.arch = "86a"}},
      {"as an option", source, {"there is no sm_86a", "write sm_86"}, {.options = {"-arch=sm_86a"}}},
      {"as code", source, {"there is no sm_86a", "write sm_86"}, {.nvcc = {.code = "sm_86a"}}},
      {"as -gencode",
       source,
       {"there is no sm_80f", "write sm_80"},
       {.options = {"-gencode", "arch=compute_80,code=sm_80f"}}},
      {"one that is to come",
       source,
       {"does not know the architecture sm_999", "it knows sm_", "CUDA_HOME"},
       {.arch = "sm_999"}},
      {"none", source, {"arch \"ampere\" is not an architecture: write sm_90"}, {.arch = "ampere"}},
      {"native, misspelt", source, {"arch \"natvie\"", "did you mean \"native\"?"}, {.arch = "natvie"}},
      {"native without a device",
       source,
       {"arch \"native-a\" needs a device", "name the architecture"},
       {.arch = "native-a"}},
      {"two",
       source,
       {"the option -arch=sm_80 and arch = \"sm_90\" differ: give one"},
       {.options = {"-arch=sm_80"}, .arch = "sm_90"}},
      {"several -gencode",
       source,
       {"-gencode, which names sm_80,sm_90,compute_90, is code for several architectures", "ask for target fatbin"},
       {.options = {"-gencode=arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"}}},
      {"several codes",
       source,
       {"code \"sm_80,sm_90\" is code for several architectures", "target fatbin"},
       {.nvcc = {.code = "sm_80,sm_90"}}},
      {"-gencode of PTX alone",
       source,
       {"-gencode, which names compute_80, is no machine code", "ask for target ptx"},
       {.options = {"-gencode=arch=compute_80,code=compute_80"}}},
      {"-gencode beside arch",
       source,
       {"give no arch and no code beside it"},
       {.options = {"-gencode=arch=compute_80,code=sm_80"}, .arch = "sm_80"}},
  });
  const EnvironmentGuard environment({{"KILN_ARCH", "sm_80 sm_86a"}});
  check_words("KILN_ARCH", refusal([&] { compile(source, {.cache = false}); }), {"there is no sm_86a", "write sm_86"});
}

TEST_CASE("ways out: options") {
  const std::string source = kernel("o[0] = 1;");
  const std::vector<std::string> arch = {"-arch=sm_90"};
  const auto with = [](const char* option) { return CompileOptions{.options = {option}, .arch = "sm_90"}; };
  check({
      {"one that nobody has",
       source,
       {"\"k.cu\": nvrtc error: unrecognized option --bogus-option found", "options: --bogus-option"},
       with("--bogus-option")},
      {"misspelt", source, {"--use_fast_mth", "did you mean \"--use_fast_math\"?"}, with("--use_fast_mth")},
      {"misspelt, with a value",
       source,
       {"--maxregcount", "did you mean \"--maxrregcount\"?"},
       with("--maxregcount=32")},
      {"a number that is none", source, {"could not compile \"k.cu\": ", "maxrregcount"}, with("--maxrregcount=many")},
      {"a language that is none", source, {"could not compile \"k.cu\": ", "std"}, with("-std=c++99")},
      {"without its value", source, {"the option -include lacks its value: give it behind the name"}, with("-include")},
      {"a kind of output", source, {"-ptx", "CompileOptions::target"}, with("-ptx")},
      {"of the assembler", source, {"could not compile \"k.cu\": ", "bogus-option"}, with("-Xptxas=--bogus-option")},
      {"another compiler",
       source,
       {"compiles no CUDA C++: leave it automatic"},
       {.arch = "sm_90", .backend = Backend::nvvm}},
  });
  const EnvironmentGuard environment({{"KILN_BACKEND", "gcc"}});
  check({{"KILN_BACKEND", source, {"KILN_BACKEND is \"gcc\": set it to auto, nvrtc or nvcc"}}});
}

TEST_CASE("ways out: links") {
  const LinkBench bench;
  const auto plain = [&](const char* source, const char* name) {
    return compile(source, bench.options().with_arch("sm_90").with_target(Target::ptx).with_name(name));
  };
  const auto link = [&](const std::function<void(Linker&)>& add, const LinkOptions& options) {
    return refusal([&] {
      Linker linker(options);
      add(linker);
      linker.link();
    });
  };
  const LinkOptions options = bench.link_options();
  const auto add_main = [&](Linker& linker) { linker.add(bench.main_code()); };
  const auto add_both = [&](Linker& linker) { linker.add(bench.main_code()).add(bench.plug_code()); };
  const auto add_lto = [&](Linker& linker) {
    linker.add(
        bench.code("namespace ns { __global__ void alpha(int* p) { *p = 1; } }\n__device__ int limit;\n"
                   "__global__ void beta(int* p) { *p = limit; }",
                   Target::ltoir, "two"));
  };
  check_words("nobody defines it", link(add_main, options),
              {"undefined symbol ns::op(float)", "wanted by main.cu", "add the input or the library that defines it"});
  check_words("PTX without -rdc",
              link([&](Linker& linker) { linker.add(bench.main_code()).add(plain(kiln::test::plug_source, "lib.cu")); },
                   options),
              {"undefined symbol ns::op(float)", "wanted by main.cu", "Nothing of lib.cu can be used by another input",
               "-rdc=true"});
  check_words("bytes without -rdc",
              link(
                  [&](Linker& linker) {
                    linker.add(bench.main_code());
                    linker.add_data(std::string(plain(kiln::test::plug_source, "lib.cu").ptx()), InputType::detect,
                                    "lib.ptx");
                  },
                  options),
              {"Nothing of lib.ptx can be used by another input", "-rdc=true"});
  check_words("static",
              link(
                  [&](Linker& linker) {
                    linker.add(bench.main_code());
                    linker.add(bench.code("namespace ns { static __device__ float op(float x) { return x; } }",
                                          Target::ptx, "lib"));
                  },
                  options),
              {"Nothing of lib.cu can be used by another input", "and not as static"});
  check_words("twice",
              link(
                  [&](Linker& linker) {
                    add_both(linker);
                    linker.add(bench.code(kiln::test::plug_source, Target::ptx, "again"));
                  },
                  options),
              {"symbol ns::op(float)", "is defined twice, by plug.cu and again.cu", "make it static or inline"});
  check_words("nothing", link([](Linker&) {}, options), {"there is no input: add one first"});
  check_words(
      "an executable",
      link([&](Linker& linker) { linker.add(compile(kiln::test::plug_source, bench.options().with_name("exe.cu"))); },
           options),
      {"exe.cu", "-rdc=true"});
  check_words("a text",
              link([&](Linker& linker) { linker.add_data("hello", InputType::detect, "hello.txt"); }, options),
              {"hello.txt"});
  check_words("an architecture", link(add_both, options.with(&LinkOptions::arch, "sm_999")),
              {"does not know the architecture sm_999", "LinkOptions::arch"});
  check_words("a suffix", link(add_both, options.with(&LinkOptions::arch, "sm_90f")),
              {"there is no sm_90f", "write sm_90 or sm_90a"});
  check_words("an older architecture", link(add_both, options.with(&LinkOptions::arch, "sm_80")),
              {"main.cu is for compute_90, and the link for sm_80", "compile it for sm_80"});
  check_words("an option", link(add_both, options.with(&LinkOptions::options, {"-splt-compile=2"})),
              {"-splt-compile", "did you mean \"-split-compile\"?"});
  check_words("LTO-IR", link(add_both, options.with(&LinkOptions::lto, true)), {"no input is LTO-IR", "Target::ltoir"});
  check_words("a kernel", link(add_lto, options.with(&LinkOptions::kernels_used, {"alhpa"})),
              {"kernels_used names \"alhpa\"", "did you mean \"alpha\"?", "ns::alpha(int*)"});
  check_words("a kernel with its namespace", link(add_lto, options.with(&LinkOptions::kernels_used, {"ns::alhpa"})),
              {"kernels_used names \"ns::alhpa\"", "did you mean \"ns::alpha\"?"});
  check_words("a variable", link(add_lto, options.with(&LinkOptions::variables_used, {"limits"})),
              {"variables_used names \"limits\"", "did you mean \"limit\"?"});
}

TEST_CASE("ways out: nvcc's own words" * kiln::test::needs_nvcc()) {
  const std::string source = kernel("o[0] = 1;");
  const auto with = [](std::vector<std::string> options) {
    return CompileOptions{.options = std::move(options), .backend = Backend::nvcc};
  };
  check({
      {"an architecture",
       source,
       {"nvcc fatal: Unsupported gpu architecture 'sm_999'", "This nvcc knows sm_", "CUDA_HOME"},
       with({"-arch=sm_999"})},
      {"in -gencode",
       source,
       {"nvcc fatal: Unsupported gpu architecture 'compute_999'", "This nvcc knows sm_"},
       with({"-gencode=arch=compute_999,code=sm_999"})},
      {"a host compiler that is not there",
       source,
       {"/no/such/g++: No such file or directory", "install g++", "NVCC_CCBIN", "-ccbin"},
       with({"-ccbin", "/no/such/g++", "-arch=sm_90"})},
      {"inline PTX",
       kernel("int a;\nasm(\"addd.s32 %0, %0, 1;\" : \"=r\"(a));\no[0] = a;"),
       {"nvcc could not compile \"k.cu\": k.cu(3): ptxas error: ", "'addd'", ">     3 | asm(",
        "In PTX it reads: addd.s32"},
       with({"-arch=sm_90"})},
      {"an option",
       source,
       {"nvcc could not compile \"k.cu\": nvcc fatal: Unknown option '--bogus-option'"},
       with({"--bogus-option", "-arch=sm_90"})},
  });
}

TEST_CASE("ways out: a host compiler and a machine that nvcc cannot work with") {
  const kiln::test::ScratchFolder scratch;
  std::filesystem::create_directory(scratch / "tmp");
  EnvironmentGuard environment({{"TMPDIR", (scratch / "tmp").string()}});
  const auto said_by = [&](const char* script) {
    const std::string nvcc = scratch.write("bin/nvcc", std::string("#!/bin/sh\n") + script + "\nexit 1\n").string();
    std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
    return refusal(
        {"", kernel(""), {}, {.options = {"-arch=sm_90"}, .backend = Backend::nvcc, .nvcc = {.path = nvcc}}});
  };
  const std::string no_parts = said_by(
      "echo \"gcc: fatal error: cannot execute 'cc1plus': execvp: No such file or directory\ncompilation terminated.\" "
      ">&2; echo 'nvcc fatal   : Failed to preprocess host compiler properties.' >&2");
  check_words("cc1plus", no_parts,
              {"\"k.cu\": gcc fatal error: cannot execute 'cc1plus'", "install g++", "NVCC_CCBIN"});
  CHECK(no_parts.find("Headers are found") == std::string::npos);
  check_words("no gcc",
              said_by("echo 'gcc: No such file or directory' >&2; echo 'nvcc fatal   : Failed to preprocess "
                      "host compiler properties.' >&2"),
              {"\"k.cu\": gcc: No such file or directory", "install g++", "NVCC_CCBIN"});
  check_words("too new",
              said_by("echo '/cuda/include/crt/host_config.h:137:2: error: #error -- unsupported GNU version! "
                      "gcc versions later than 15 are not supported!' >&2"),
              {"host_config.h(137): error: #error -- unsupported GNU version!", "install an older one", "NVCC_CCBIN",
               "-allow-unsupported-compiler"});
  check_words(
      "a full disk",
      said_by("echo '<built-in>: fatal error: when writing output to a.ii: No space left on "
              "device' >&2"),
      {"No space left on device", "folder for temporary files, " + (scratch / "tmp").string() + ", is full", "TMPDIR"});
  check_words("nothing said", said_by(""),
              {"nvcc could not compile \"k.cu\": it ended with status 1 and said nothing"});
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

TEST_CASE("ways out: texts have a bound, and their ends are whole characters") {
  const std::string row(std::size_t{169} << 10, '1');
  const std::string euros = "/* " + [] {
    std::string text;
    for (int i = 0; i < 60000; ++i) text += "\xE2\x82\xAC";
    return text;
  }() + " */";
  std::string table = "__device__ int t[] = {\n";
  for (int i = 0; i < 100; ++i) table += "\"" + std::string(1000, 'x') + "\",\n";
  table += "};\n";
  const CompileOptions long_option = {.options = {"-DA=" + row, "--bogus"}, .arch = "sm_90"};
  const std::string long_arch = "sm_" + row;
  for (const Wrong& wrong : std::vector<Wrong>{
           {"a long line", kernel("long a = " + row + " + wrong;"), {"k.cu(2)", "more bytes"}},
           {"a place far behind", kernel(euros + " o[0] = wrong;"), {"wrong", "k.cu(2)"}},
           {"many errors", table, {"k.cu(2)"}},
           {"an option", kernel(""), {"more bytes", "--bogus"}, long_option},
           {"an architecture", kernel(""), {"more bytes", "write sm_90"}, {.arch = long_arch}},
           {"a name", kernel("wrong;"), {"identifier \"wrong\""}, {.arch = "sm_90", .name = row}},
       }) {
    const std::string text = refusal(wrong);
    CHECK_MESSAGE(text.size() < (std::size_t{100} << 10), wrong.what << " " << text.size());
    check_words(wrong.what, text.substr(0, 100000), wrong.words);
    CHECK_MESSAGE(text.find("\xE2\x82\n") == std::string::npos, wrong.what);
  }
}

}  // namespace ways_out_test
