// Which compiler gets a request, and what becomes of that choice. nvcc is run through a script that counts its runs.
#include <kiln/compile.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include "base/digest.hpp"
#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "real_nvcc.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace choosing_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string kernel = "extern \"C\" __global__ void k(int* a) { a[0] = VALUE; }\n";
/// NVRTC has no such header, and nvcc's host compiler has.
const std::string host_source = "#include <vector>\n" + kernel;

struct NvccBench : Bench {
  explicit NvccBench(const std::string& real) {
    script("#!/bin/sh\necho run >> \"" + (scratch / "runs").string() + "\"\nexec " + real + " \"$@\"\n");
    scratch.write("runs", "");
  }
  void script(const std::string& text) const {
    scratch.write("bin/nvcc", text);
    std::filesystem::permissions(scratch / "bin/nvcc", std::filesystem::perms::owner_all);
  }
  CompileOptions options() const {
    return Bench::options().with_nvcc({(scratch / "bin/nvcc").string()}).with_defines({{"VALUE", 4}});
  }
  long runs() const {
    const std::string text = scratch.read("runs");
    return std::count(text.begin(), text.end(), '\n');
  }
};

bool says(const std::exception& error, const std::string& text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

template <class Work>
std::string compile_error(Work work) {
  try {
    work();
  } catch (const CompileError& error) {
    return error.what();
  }
  return "no CompileError";
}

}  // namespace

TEST_CASE("NVRTC is asked first, and what it can do needs no nvcc") {
  const Bench bench;
  const CompileOptions options = bench.options().with_defines({{"VALUE", 4}}).with_nvcc({"/no/such/nvcc"});
  CHECK(compile(kernel, options).backend() == Backend::nvrtc);
}

TEST_CASE("a source with a host header goes to nvcc, and the choice is kept" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  const CompileOptions options = bench.options();
  CHECK(in_new_process([&] { return compile(host_source, options).backend() == Backend::nvcc; }));
  CHECK(bench.runs() == 1);
  CHECK(bench.stats().compiles == 1);
  CHECK(bench.stats().misses == 1);
  CHECK(in_new_process([&] {
    const CodeObject code = compile(host_source, options);
    return code.from_cache() && code.backend() == Backend::nvcc && code.kernels().size() == 1;
  }));
  CHECK(bench.runs() == 1);
  CHECK(bench.stats().compiles == 1);
  CHECK(bench.stats().hits == 1);
  CHECK(in_new_process([&] { return compile(host_source, options.with_backend(Backend::nvcc)).from_cache(); }));
  CHECK(compile_error([&] { compile(host_source, options.with_backend(Backend::nvrtc)); }).find("vector") !=
        std::string::npos);
}

TEST_CASE("memory knows what nvcc made, too" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  CHECK_FALSE(compile(host_source, bench.options()).from_cache());
  CHECK(compile(host_source, bench.options()).from_cache());
  CHECK(bench.stats().hits == 0);
}

TEST_CASE("nvcc's code is compiled again when a header, an option of the environment or nvcc itself changes" *
          needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  bench.header("inc/own.h", "#define OWN 1\n");
  const CompileOptions options = bench.options().with_backend(Backend::nvcc).with_include_dirs({bench.scratch / "inc"});
  const std::string source = "#include <own.h>\n" + kernel;
  const auto is_cached = [&] { return in_child([&] { return compile(source, options).from_cache() ? 1 : 0; }) == 1; };
  CHECK_FALSE(is_cached());
  CHECK(is_cached());
  bench.header("inc/own.h", "#define OWN 2\n");
  CHECK_FALSE(is_cached());
  CHECK(is_cached());
  {
    const EnvironmentGuard guard({{"NVCC_APPEND_FLAGS", "-DMORE=1"}});
    CHECK_FALSE(is_cached());
    CHECK(is_cached());
  }
  CHECK(is_cached());
  bench.script("#!/bin/sh\n# another\nexec " + *nvcc + " \"$@\"\n");
  CHECK_FALSE(is_cached());
}

TEST_CASE("a new header in front of nvcc's own is noticed" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  bench.scratch.write("inc/other.h", "");
  const CompileOptions options = bench.options().with_include_dirs({bench.scratch / "inc"});
  CHECK(in_new_process([&] { return compile(host_source, options).backend() == Backend::nvcc; }));
  CHECK(in_new_process([&] { return compile(host_source, options).from_cache(); }));
  bench.header("inc/vector", "#undef VALUE\n#define VALUE 5\n");
  CHECK(in_new_process([&] {
    const CodeObject code = compile(host_source, options);
    return !code.from_cache() && code.backend() == Backend::nvrtc;
  }));
}

TEST_CASE("functions without __device__ are compiled by -default-device") {
  const Bench bench;
  const std::string source = "int twice(int x) { return 2 * x; }\n__global__ void k(int* a) { a[0] = twice(a[1]); }";
  const CodeObject code = compile(source, bench.options());
  CHECK(code.backend() == Backend::nvrtc);
  CHECK(in_new_process([&] { return compile(source, bench.options()).from_cache(); }));
}

TEST_CASE("functions of the host that -default-device does not make right go to nvcc" * needs_nvcc()) {
  const Bench bench;
  const std::string host =
      "static int seven() { return 7; }\nint global = seven();\nint main() { return 0; }\n" + kernel;
  CHECK(compile(host, bench.options().with_defines({{"VALUE", 4}})).backend() == Backend::nvcc);
}

TEST_CASE("targets and options that NVRTC has not go to nvcc at once" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  const CompileOptions options = bench.options();
  const auto with_code = [&options](const char* code) { return options.with_nvcc({options.nvcc.path, code}); };
  const CodeObject fat = compile(kernel, with_code("sm_80,sm_90,compute_90").with_target(Target::fatbin).with_arch(""));
  CHECK(fat.backend() == Backend::nvcc);
  CHECK(fat.target() == Target::fatbin);
  CHECK(fat.arch() == "sm_80,sm_90,compute_90");
  REQUIRE(fat.kernels().size() == 1);
  CHECK(fat.kernels()[0].architectures.size() == 3);
  CHECK(compile(kernel, options.with_options({"-Xcompiler", "-O2"})).backend() == Backend::nvcc);
  const CodeObject other = compile(kernel, with_code("sm_90").with_arch("compute_80"));
  CHECK(other.backend() == Backend::nvcc);
  CHECK(other.arch() == "sm_90");
  CHECK(compile(kernel, with_code("sm_80").with_arch("compute_80")).backend() == Backend::nvrtc);
  CHECK(compile(kernel, options.with_arch("").with_options({"-gencode=arch=compute_80,code=sm_80"})).arch() == "sm_80");
}

TEST_CASE("KILN_BACKEND decides where the options do not" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  {
    const EnvironmentGuard guard({{"KILN_BACKEND", "nvcc"}});
    CHECK(compile(kernel, bench.options()).backend() == Backend::nvcc);
    CHECK(compile(kernel, bench.options().with_backend(Backend::nvrtc)).backend() == Backend::nvrtc);
  }
  const EnvironmentGuard guard({{"KILN_BACKEND", "clang"}});
  CHECK_THROWS_AS(compile(kernel, bench.options()), ArgumentError);
}

TEST_CASE("the errors of both compilers report why nvcc was asked, or that there is none" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  const std::string broken = "#include <vector>\n__global__ void k() { undeclared = 1; }\n";
  const std::string message = compile_error([&] { compile(broken, bench.options()); });
  CHECK(message.find("undeclared") != std::string::npos);
  CHECK(message.find("NVRTC has no header <vector>") != std::string::npos);
  CHECK(bench.stats().entries == 0);

  const EnvironmentGuard guard({{"PATH", "/nowhere"}});
  CHECK_THROWS_AS(compile(host_source, bench.options().with_nvcc({"nvcc"})), ToolkitError);
  CHECK_THROWS_AS(compile(kernel, bench.options().with_nvcc({"/no/such/nvcc"}).with_backend(Backend::nvcc)),
                  ToolkitError);
}

TEST_CASE("what nvcc may take is put to it once, after NVRTC refused it, and the error of both is NVRTC's" *
          needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  const auto error_of = [&](const std::string& source) {
    return compile_error([&] { compile(source, bench.options()); });
  };
  CHECK(compile("__global__ void k(int* a) { __typeof__(*a) b = 1; *a = b; }", bench.options()).backend() ==
        Backend::nvcc);
  CHECK(bench.runs() == 1);
  // More than the short form of a header has.
  CHECK(compile("#include <math.h>\n__global__ void k(int* a, int b) { *a = sqrt(b); }", bench.options()).backend() ==
        Backend::nvcc);
  const long runs = bench.runs();
  // A mistake that both refuse.
  const std::string same = error_of("#include <stdint.h>\n__global__ void k(int* a) { *a = misspelt; }");
  CHECK(same.find("NVRTC") == 0);
  CHECK(same.find("kernel.cu(2): error: identifier \"misspelt\" is undefined") != std::string::npos);
  CHECK(same.find("nvcc was asked, too") != std::string::npos);
  CHECK(same.find("says the same") != std::string::npos);
  const std::string other = error_of("__global__ void k(int* a) { ({ 1; }); misspelt(a); }");
  CHECK(other.find("NVRTC does not take statement expressions") != std::string::npos);
  CHECK(other.find("and says kernel.cu(1): error: identifier \"misspelt\" is undefined") != std::string::npos);
  CHECK(bench.runs() == runs + 4);  // for each a compile, and its version for the message
  // Nothing that nvcc could change: no stand-in, a syntax error, the program's own refusal.
  for (const char* const source :
       {"__global__ void k(int* a) { *a = misspelt; }", "#include <stdint.h>\n__global__ void k(int* a) { *a = 1 }",
        "#include <stdint.h>\n#error stop\n", "#include <stdint.h>\nstatic_assert(sizeof(int) == 8, \"stop\");"})
    CHECK(error_of(source).find("nvcc was asked") == std::string::npos);
  CHECK(bench.runs() == runs + 4);
}

TEST_CASE("where NVRTC alone may compile, the error says that nvcc might") {
  const Bench bench;
  const CompileOptions alone = bench.options().with_backend(Backend::nvrtc);
  for (const char* const source : {"__global__ void k(int* a) { *a = __COUNTER__; }",
                                   "__global__ void k(int* a) { __typeof__(*a) b = 1; *a = b; }"}) {
    const std::string text = compile_error([&] { compile(source, alone); });
    CHECK(text.find("nvcc may compile this") != std::string::npos);
    CHECK(text.find("KILN_BACKEND") != std::string::npos);
  }
  CHECK(compile_error([&] {
          compile("#include <stdint.h>\n__global__ void k(int* a) { *a = misspelt; }", alone);
        }).find("nvcc may") == std::string::npos);
}

TEST_CASE("template instances come by nvcc as by NVRTC" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  const std::string source = "template <class T, int N> __global__ void scale(T* a) { a[0] *= N; }";
  const CompileOptions options = bench.options().with_name_expressions({"scale<float, 3>"});
  const CodeObject one = compile(source, options.with_backend(Backend::nvrtc));
  const CodeObject other = compile(source, options.with_backend(Backend::nvcc));
  CHECK(one.lowered_name("scale<float,3>") == other.lowered_name("scale< float, 3 >"));
  REQUIRE(other.kernels().size() == 1);
  CHECK(other.kernels()[0].name == one.kernels()[0].name);
}

TEST_CASE("extern \"C\" around the source is asked for, and keeps the lines' numbers") {
  const Bench bench;
  const std::string source = "__global__ void k(int* a) { a[0] = 1; }\n";
  CHECK(compile(source, bench.options()).kernels().at(0).name == "_Z1kPi");
  CHECK(compile(source, bench.options().with_no_extern_c(true)).kernels().at(0).name == "_Z1kPi");
  CHECK(compile(source, bench.options().with_no_extern_c(false)).kernels().at(0).name == "k");
  const CompileOptions named = bench.options().with_no_extern_c(false).with_name("two\nlines.cu");
  CHECK(compile(source, named).kernels().at(0).name == "k");
  const std::string broken = "\n__global__ void k() {\n  undeclared = 1;\n}\n";
  const std::string by_nvrtc = compile_error([&] { compile(broken, bench.options().with_no_extern_c(false)); });
  CHECK(by_nvrtc.find("kernel.cu(3): error") != std::string::npos);
  CHECK(by_nvrtc.find(">     3 |   undeclared = 1;") != std::string::npos);
}

TEST_CASE("extern \"C\" around the source, by nvcc" * needs_nvcc()) {
  const Bench bench;
  const std::string source = "__global__ void k(int* a) { a[0] = 1; }\n";
  const std::string broken = "\n__global__ void k() {\n  undeclared = 1;\n}\n";
  const CompileOptions by_nvcc = bench.options().with_no_extern_c(false).with_backend(Backend::nvcc);
  CHECK(compile(source, by_nvcc).kernels().at(0).name == "k");
  const std::string message = compile_error([&] { compile(broken, by_nvcc); });
  CHECK(message.find("kernel.cu(3): error") != std::string::npos);
  CHECK(message.find(">     3 |   undeclared = 1;") != std::string::npos);
}

TEST_CASE("compile_plain adds nothing, and is cached" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  const EnvironmentGuard guard({{"KILN_DEFAULT_OPTIONS", "-DVALUE=9 -no-such-option"}});
  const CompileOptions options = bench.options().with_arch("");
  CHECK(in_new_process([&] { return !compile_plain(kernel, options).arch().empty(); }));
  CHECK(in_new_process([&] { return compile_plain(kernel, options).from_cache(); }));
  CHECK(bench.runs() == 1);
  CHECK(compile_error([&] { compile(kernel, options); }).find("no-such-option") != std::string::npos);
}

TEST_CASE("keep compiles again and leaves the folder, also after a failure" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  bench.scratch.write("tmp/x", "");
  const EnvironmentGuard guard({{"TMPDIR", (bench.scratch / "tmp").string()}});
  // An idle worker has one of its own there.
  const auto folders = [&] {
    return std::count_if(
               std::filesystem::directory_iterator(bench.scratch / "tmp"), {},
               [](const auto& entry) { return entry.path().filename().string().find("kiln-tmp-worker-") != 0; }) -
           1;
  };
  for (const Backend backend : {Backend::nvcc, Backend::nvrtc}) {
    CAPTURE(static_cast<int>(backend));
    const CompileOptions options = bench.options().with_backend(backend);
    const auto before = folders();
    compile(kernel, options);
    CHECK(folders() == before);
    CHECK_FALSE(compile(kernel, options.with(&CompileOptions::keep, true)).from_cache());
    CHECK(folders() == before + 1);
    const std::string message = compile_error([&] { compile("broken", options.with(&CompileOptions::keep, true)); });
    const std::string name = backend == Backend::nvcc ? "tmp/kiln-nvcc-" : "tmp/kiln-nvrtc-";
    CHECK(message.find((bench.scratch / name).string()) != std::string::npos);
    CHECK(folders() == before + 2);
  }
}

TEST_CASE("a nvcc that hangs is ended by the timeout, and the next compile starts clean" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  bench.script("#!/bin/sh\nexec sleep 100\n");
  const CompileOptions options = bench.options().with_backend(Backend::nvcc);
  try {
    compile(kernel, options.with(&CompileOptions::timeout, std::chrono::milliseconds(100)));
    FAIL("not stopped");
  } catch (const CompileError& error) {
    FAIL("nothing is wrong with the source: " << error.what());
  } catch (const CompileStopped& error) {
    CHECK(error.timed_out());
    CHECK(says(error, "kernel.cu"));
  }
  const CancelSource source;
  std::thread other([&] { source.cancel(); });
  CHECK_THROWS_AS(compile(kernel, options.with(&CompileOptions::cancel, source.token())), CompileStopped);
  other.join();
  CHECK(bench.stats().stores == 0);
  CHECK(bench.stats().entries == 0);
  bench.script("#!/bin/sh\nexec " + *nvcc + " \"$@\"\n");
  CHECK_FALSE(compile(kernel, options).from_cache());
}

TEST_CASE("who waits for one that is called off compiles by itself" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const NvccBench bench(*nvcc);
  // Its first run tells that it is there, and hangs; the next ones are nvcc's.
  const std::string began = (bench.scratch / "began").string();
  bench.script("#!/bin/sh\nif mkdir \"" + began + "\" 2>/dev/null; then exec sleep 100; fi\nexec " + *nvcc +
               " \"$@\"\n");
  const CompileOptions options = bench.options().with_backend(Backend::nvcc);
  const CancelSource source;
  std::thread first(
      [&] { CHECK_THROWS_AS(compile(kernel, options.with(&CompileOptions::cancel, source.token())), CompileStopped); });
  while (!std::filesystem::exists(began)) std::this_thread::yield();
  std::thread second([&] { CHECK_NOTHROW(compile(kernel, options)); });
  source.cancel();
  first.join();
  second.join();
  CHECK(bench.stats().entries == 1);
}

TEST_CASE("code with lines in it names a source that is on the disk") {
  const Bench bench;
  const std::string source = "__global__ void k(int* a) { a[0] = 1; }\n";
  const CodeObject code = compile(source, bench.options().with_options({"-lineinfo"}));
  // The line table has folders and files apart, and spells non-ASCII folders (such as this test's) in its own way.
  const std::string key = digest_of(source).hex();
  const std::string folder = "cache/v3/entries/" + key.substr(0, 2);
  CHECK(code.bytes().find("/cache/v3/entries/") != std::string_view::npos);
  CHECK(code.bytes().find(key.substr(2) + ".cu") != std::string_view::npos);
  CHECK(bench.scratch.read(folder + "/" + key.substr(2) + ".cu") == source);
  CHECK(in_new_process([&] { return compile(source, bench.options().with_options({"-lineinfo"})).from_cache(); }));
}

}  // namespace choosing_test
