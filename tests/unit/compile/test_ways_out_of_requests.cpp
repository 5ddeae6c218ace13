// Requests that cannot be met: architectures, options, links, the machine, texts of megabytes.
#include "environment_guard.hpp"
#include "link_bench.hpp"
#include "real_nvcc.hpp"
#include "ways_out.hpp"

#include <filesystem>
#include <functional>
#include <utility>

namespace ways_out_of_requests_test {

using namespace kiln;
using namespace kiln::test;

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
      {"code that is older",
       source,
       {"code \"sm_80\" cannot be made of arch \"sm_90\", which is newer: leave arch out"},
       {.arch = "sm_90", .target = Target::fatbin, .nvcc = {.code = "90,80"}}},
      {"code older, as options",
       source,
       {"code \"sm_80\" cannot be made of arch \"sm_90\""},
       {.options = {"-arch=sm_90", "-code=sm_80"}}},
      {"code of another architecture than features",
       source,
       {"code \"sm_100\" cannot be made of arch \"sm_90a\", which is for that architecture alone"},
       {.arch = "sm_90a", .target = Target::fatbin, .nvcc = {.code = "sm_100"}}},
  });
  const EnvironmentGuard environment({{"KILN_ARCH", "sm_80 sm_86a"}});
  check_words("KILN_ARCH", refusal([&] { compile(source, {.cache = false}); }), {"there is no sm_86a", "write sm_86"});
}

TEST_CASE("ways out: options") {
  const std::string source = kernel("o[0] = 1;");
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
              link([&](Linker& linker) { linker.add(bench.main_code()).add(plain(plug_source, "lib.cu")); }, options),
              {"undefined symbol ns::op(float)", "wanted by main.cu", "Nothing of lib.cu can be used by another input",
               "-rdc=true"});
  check_words("bytes without -rdc",
              link(
                  [&](Linker& linker) {
                    linker.add(bench.main_code());
                    linker.add_data(std::string(plain(plug_source, "lib.cu").ptx()), InputType::detect, "lib.ptx");
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
                    linker.add(bench.code(plug_source, Target::ptx, "again"));
                  },
                  options),
              {"symbol ns::op(float)", "is defined twice, by plug.cu and again.cu", "make it static or inline"});
  check_words("nothing", link([](Linker&) {}, options), {"there is no input: add one first"});
  check_words(
      "an executable",
      link([&](Linker& linker) { linker.add(compile(plug_source, bench.options().with_name("exe.cu"))); }, options),
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

TEST_CASE("ways out: nvcc's own words" * needs_nvcc()) {
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
      {"as -gencode",
       source,
       {"there is no sm_80f", "write sm_80"},
       {.options = {"-gencode", "arch=compute_80,code=sm_80f"}}},
      {"several -gencode",
       source,
       {"-gencode for \"sm_80,sm_90,compute_90\" is code for several architectures", "ask for target fatbin"},
       {.options = {"-gencode=arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"}}},
      {"several codes",
       source,
       {"code \"sm_80,sm_90\" is code for several architectures", "target fatbin"},
       {.nvcc = {.code = "sm_80,sm_90"}}},
      {"-gencode of PTX alone",
       source,
       {"-gencode for \"compute_80\" is no machine code", "ask for target ptx"},
       {.options = {"-gencode=arch=compute_80,code=compute_80"}}},
      {"-gencode beside arch",
       source,
       {"give no arch and no code beside it"},
       {.options = {"-gencode=arch=compute_80,code=sm_80"}, .arch = "sm_80"}},
      {"a header that is nowhere",
       "#include \"nope.h\"\n" + source,
       {"k.cu(1): fatal error: nope.h: No such file", "include_dirs"},
       with({"-arch=sm_90"})},
      {"a header of an option that is nowhere",
       source,
       {"fatal error: nope.h: No such file", "include_dirs"},
       with({"-include", "nope.h", "-arch=sm_90"})},
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
  const ScratchFolder scratch;
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
  environment.set("LD_PRELOAD", "/no/such/libasan.so.8");
  check_words("a sanitizer", said_by("echo '==1==ERROR: LeakSanitizer: detected memory leaks' >&2"),
              {"it ended with status 1", "LD_PRELOAD has /no/such/libasan.so.8", "ASAN_OPTIONS=detect_leaks=0"});
  environment.unset("LD_PRELOAD");
  check_words("nothing said", said_by(""),
              {"nvcc could not compile \"k.cu\": it ended with status 1 and said nothing"});
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
           {"a long line", kernel("long a = " + row + " + wrong;"), {"k.cu(2)", ">     2 | long a = 1111"}},
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

}  // namespace ways_out_of_requests_test
