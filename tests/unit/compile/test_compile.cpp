// The whole way of a request, with the real NVRTC and a cache folder of each case's own. What happened is read off the
// folder's counters. Header files are made old, because a header edited within 20 ms of a compile is rightly not kept.
#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include "base/file_system.hpp"
#include "compile/compiler.hpp"
#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "in_child.hpp"
#include "real_nvcc.hpp"
#include "scratch_folder.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <clocale>
#include <csignal>
#include <thread>
#include <vector>

namespace compile_test {

using namespace kiln;
using kiln::test::Bench;
using kiln::test::EnvironmentGuard;
using kiln::test::in_new_process;
using kiln::test::needs_nvcc;
using kiln::test::ScratchFolder;

namespace {

constexpr const char* plain = "extern \"C\" __global__ void k(float* a) { a[0] = VALUE; }";

}  // namespace

TEST_CASE("the second process finds what the first one compiled, warnings included") {
  const Bench bench;
  const std::string source = "__global__ void k(float* a) { int unused = 3; a[0] = 1; }";
  const auto compiled = [&] { return compile(source, bench.options()); };
  CHECK(in_new_process([&] {
    const CodeObject code = compiled();
    return !code.from_cache() && code.log().find("warning") != std::string::npos && code.bytes().substr(1, 3) == "ELF";
  }));
  CHECK(bench.stats().compiles == 1);
  CHECK(bench.stats().stores == 1);
  CHECK(in_new_process([&] {
    const CodeObject code = compiled();
    return code.from_cache() && code.log().find("warning") != std::string::npos && code.arch() == "sm_80" &&
           code.kernels().size() == 1;
  }));
  CHECK(bench.stats().hits == 1);
  CHECK(bench.stats().misses == 1);
  CHECK(bench.stats().compiles == 1);
}

TEST_CASE("the same request in one process shares the code") {
  const Bench bench;
  const CodeObject first = compile("__global__ void k() {}", bench.options());
  const CodeObject second = compile("__global__ void k() {}", bench.options());
  CHECK(second.from_cache());
  CHECK(first.data() == second.data());
  CHECK(bench.stats().compiles == 1);
}

TEST_CASE("an edit of the source, of a macro, of an option or of the architecture compiles again") {
  const Bench bench;
  const CompileOptions one = bench.options().with_defines({{"VALUE", 1}});
  compile(plain, one);
  compile(plain, one.with_defines({{"VALUE", 2}}));
  compile(plain, one.with_options({"-DX"}));
  compile(plain, one.with_options({"-DX", "-DY"}));
  compile(plain, one.with_options({"-DY", "-DX"}));
  compile(plain, one.with_arch("sm_90"));
  compile(plain, one.with_target(Target::ptx));
  compile(plain, one.with_name("other.cu"));
  compile(std::string(plain) + " ", one);
  CHECK(bench.stats().compiles == 9);
  CHECK(bench.stats().entries == 9);
  CHECK(compile(plain, one).data()->arch == "sm_80");
  CHECK(compile(plain, one.with_arch("sm_90")).data()->arch == "sm_90");
  CHECK(bench.stats().compiles == 9);
}

TEST_CASE("two macros are not one of both names") {
  const Bench bench;
  const std::string source = "__global__ void k(int* a) { a[0] = A; }";
  compile(source, bench.options().with_defines({{"A", "1"}, {"B", "2"}}));
  compile(source, bench.options().with_defines({{"A", "12"}}));
  CHECK(bench.stats().compiles == 2);
}

TEST_CASE("an edited header, however deep, compiles again; a touched one does not") {
  for (const bool fresh_process : {false, true}) {
    const Bench bench;
    bench.header("inc/outer.h", "#include \"inner.h\"\n");
    bench.header("inc/inner.h", "#define VALUE 1\n");
    const std::string source = "#include <outer.h>\n" + std::string(plain);
    const CompileOptions options = bench.options().with_include_dirs({bench.scratch / "inc"});
    std::string first;
    const auto from_cache = [&] {
      if (fresh_process) return in_new_process([&] { return compile(source, options).from_cache(); });
      return compile(source, options).from_cache();
    };
    CHECK_FALSE(from_cache());
    CHECK(from_cache());
    bench.header("inc/inner.h", "#define VALUE 1\n");  // a new time, the same text
    CHECK(from_cache());
    CHECK(bench.stats().compiles == 1);
    bench.header("inc/inner.h", "#define VALUE 2\n");
    CHECK_FALSE(from_cache());
    CHECK(bench.stats().compiles == 2);
    bench.header("inc/inner.h", "#define VALUE 1\n");  // back again: the first entry still holds it
    CHECK(from_cache());
    CHECK(bench.stats().compiles == 2);
  }
}

TEST_CASE("a header that shadows another, or appears where __has_include looked, compiles again") {
  const Bench bench;
  bench.header("second/value.h", "#define VALUE 1\n");
  std::filesystem::create_directories(bench.scratch / "first");
  const std::string source =
      "#include <value.h>\n#if __has_include(<extra.h>)\n#include <extra.h>\n#endif\n" + std::string(plain);
  const CompileOptions options = bench.options().with_include_dirs({bench.scratch / "first", bench.scratch / "second"});
  const std::string before(compile(source, options).bytes());
  CHECK(compile(source, options).from_cache());
  bench.header("first/value.h", "#define VALUE 2\n");
  const CodeObject shadowed = compile(source, options);
  CHECK_FALSE(shadowed.from_cache());
  CHECK(shadowed.bytes() != before);
  bench.header("second/extra.h", "#undef VALUE\n#define VALUE 3\n");
  CHECK_FALSE(compile(source, options).from_cache());
  std::filesystem::remove(bench.scratch / "first/value.h");
  std::filesystem::remove(bench.scratch / "second/extra.h");
  const CodeObject again = compile(source, options);
  CHECK(again.from_cache());
  CHECK(again.bytes() == before);
}

TEST_CASE("toolkit headers need no option, and are looked at by their folders") {
  const Bench bench;
  const std::string source = "#include <cuda_fp16.h>\n__global__ void k(__half* a) { a[0] = __hadd(a[0], a[1]); }";
  CHECK_FALSE(compile(source, bench.options()).from_cache());
  CHECK(in_new_process([&] { return compile(source, bench.options()).from_cache(); }));
  CompileOptions strict = bench.options();
  strict.caching.strict_headers = true;
  CHECK(in_new_process([&] { return !compile(source, strict).from_cache(); }));
  CHECK(in_new_process([&] { return compile(source, strict).from_cache(); }));
}

TEST_CASE("in-memory headers are found and are part of the request") {
  const Bench bench;
  const std::string source = "#include \"value.h\"\n" + std::string(plain);
  compile(source, bench.options().with_headers({{"value.h", "#define VALUE 1"}}));
  compile(source, bench.options().with_headers({{"value.h", "#define VALUE 2"}}));
  CHECK(bench.stats().compiles == 2);
  CHECK(compile(source, bench.options().with_headers({{"value.h", "#define VALUE 1"}})).from_cache());
}

TEST_CASE("instances, whatever the spacing") {
  const Bench bench;
  const std::string source = "template <class T, int N> __global__ void scale(T* a) { a[0] *= N; }";
  const CodeObject code = compile(source, bench.options().with_name_expressions({"scale<float, 4>"}));
  CHECK(code.lowered_name("scale< float,4 >") == "_Z5scaleIfLi4EEvPT_");
  CHECK(compile(source, bench.options().with_name_expressions({"scale<float,4>"})).from_cache() == true);
  CHECK(bench.stats().compiles == 1);
  CHECK(in_new_process([&] {
    return compile(source, bench.options().with_name_expressions({" scale<float , 4>"}))
               .lowered_name("scale<float,4>") == "_Z5scaleIfLi4EEvPT_";
  }));
  CHECK_THROWS_AS(code.lowered_name("scale<int, 4>"), ArgumentError);
}

TEST_CASE("sources that use the clock and options with side effects are not kept") {
  const Bench bench;
  for (int i = 0; i < 2; ++i)
    CHECK_FALSE(
        compile("__device__ const char* when = __TIME__; __global__ void k() {}", bench.options()).from_cache());
  for (int i = 0; i < 2; ++i)
    CHECK_FALSE(
        compile("__global__ void k(const char* s) { s = WHEN; }", bench.options().with_options({"-DWHEN=__DATE__"}))
            .from_cache());
  CHECK(bench.stats().refused == 4);
  CHECK(bench.stats().entries == 0);
  CHECK(bench.stats().compiles == 4);
}

TEST_CASE("a header edited just before the compile is not kept") {
  const Bench bench;
  bench.scratch.write("value.h", "#define VALUE 1\n");
  const CompileOptions options = bench.options().with_include_dirs({bench.scratch.path()});
  // The file may already be 20 ms old where the machine is slow: then it is kept, rightly.
  compile("#include <value.h>\n" + std::string(plain), options);
  CHECK(bench.stats().refused + bench.stats().stores == 1);
}

TEST_CASE("a damaged entry is a miss that heals") {
  for (const int damage : {0, 1, 2}) {
    const Bench bench;
    const auto once = [&] {
      return in_new_process([&] { return compile("__global__ void k() {}", bench.options()).bytes().size() > 500; });
    };
    CHECK(once());
    for (const auto& item : std::filesystem::recursive_directory_iterator(bench.scratch / "cache")) {
      if (item.path().extension() != ".code") continue;
      std::string bytes = kiln::test::file_bytes(item.path());
      if (damage == 0) bytes.resize(bytes.size() / 2);
      if (damage == 1) bytes[bytes.size() - 100] = static_cast<char>(bytes[bytes.size() - 100] ^ 4);
      if (damage == 2) bytes.clear();
      kiln::test::write_file(item.path(), bytes);
    }
    CHECK(once());
    CHECK(bench.stats().corrupt == 1);
    CHECK(bench.stats().compiles == 2);
    CHECK(once());
    CHECK(bench.stats().compiles == 2);
    CHECK(bench.stats().hits == 1);
  }
}

TEST_CASE("a cache that cannot be written is no error") {
  const Bench bench;
  bench.scratch.write("file", "");
  const CompileOptions options = bench.options().with_caching({bench.scratch / "file" / "below"});
  CHECK(compile("__global__ void k() {}", options).bytes().size() > 500);
}

TEST_CASE("without any folder to keep code in there is one warning, and no error") {
  CHECK(in_new_process([] {
    const EnvironmentGuard guard({{"KILN_CACHE_DIR", std::nullopt},
                                  {"PYCUDA_CACHE_DIR", std::nullopt},
                                  {"XDG_CACHE_HOME", std::nullopt},
                                  {"HOME", std::nullopt},
                                  {"KILN_LOG", std::nullopt}});
    int warnings = 0;
    set_log_handler([&](LogLevel level, const std::string& message) {
      warnings += level == LogLevel::warn && message.find("KILN_CACHE_DIR") != std::string::npos;
    });
    const CompileOptions options = CompileOptions{}.with_arch("sm_80");
    const bool compiled = !compile("__global__ void homeless() {}", options).from_cache() &&
                          !compile("__global__ void homeless_too() {}", options).from_cache();
    set_log_handler({});
    return compiled && warnings == 1;
  }));
}

TEST_CASE("a full disk leaves nothing half done") {
  const Bench bench;
  compile("__global__ void warm() {}", bench.options());
  CHECK(in_new_process([&] {
    compile("__global__ void first() {}", bench.options().with_cache(false));  // a worker waits, without the limit
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{64, 64};  // no file may grow: what a full disk answers, without filling one
    setrlimit(RLIMIT_FSIZE, &limit);
    return compile("__global__ void other() {}", bench.options()).bytes().size() > 500;
  }));
  CHECK(bench.stats().entries == 1);
  for (const auto& item : std::filesystem::recursive_directory_iterator(bench.scratch / "cache"))
    if (item.path().parent_path().filename() == "tmp") CHECK(item.file_size() == 0);  // the mark for those who wait
  CHECK(in_new_process([&] { return compile("__global__ void warm() {}", bench.options()).from_cache(); }));
}

TEST_CASE("paths with spaces and letters beyond ASCII arrive") {
  const Bench bench;  // the scratch folder's own name has both
  bench.header("inc l\xc3\xa4nder/value \xc3\xb6.h", "#define VALUE 1\n");
  const CompileOptions options =
      bench.options().with_include_dirs({bench.scratch / "inc l\xc3\xa4nder"}).with_name("my k\xc3\xa9rnel.cu");
  const std::string source = "#include <value \xc3\xb6.h>\n" + std::string(plain);
  CHECK_FALSE(compile(source, options).from_cache());
  CHECK(in_new_process([&] { return compile(source, options).from_cache(); }));
  try {
    compile("broken", options);
    FAIL("accepted");
  } catch (const CompileError& error) {
    CHECK(std::string(error.what()).find("my k\xc3\xa9rnel.cu(1)") != std::string::npos);
  }
}

TEST_CASE("a locale with commas changes nothing") {
  const Bench bench;
  const std::string source = "__device__ float value = 1.5f; __global__ void k() {}";
  const auto ptx = [&] {
    return std::string(compile(source, bench.options().with_target(Target::ptx).with_cache(false)).bytes());
  };
  const std::string expected = ptx();
  const char* chosen = nullptr;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
    if (chosen == nullptr) chosen = std::setlocale(LC_ALL, name);
  if (chosen == nullptr) {
    MESSAGE("no locale with a comma is installed: generated by tests/run.sh");
    return;
  }
  CHECK(ptx() == expected);
  CHECK(std::string(std::setlocale(LC_ALL, nullptr)) == chosen);
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("a source that does not compile says where, with which options, and is never kept") {
  const Bench bench;
  for (int i = 0; i < 2; ++i) {
    try {
      compile("// first\n__global__ void k(float* a) {\n  a[0] = missing;\n}\n",
              bench.options().with_defines({{"N", 4}}));
      FAIL("accepted");
    } catch (const CompileError& error) {
      const std::string text = error.what();
      CHECK(text.find("kernel.cu(3): error") != std::string::npos);
      CHECK(text.find(">     3 |   a[0] = missing;") != std::string::npos);
      CHECK(text.find("-DN=4") != std::string::npos);
      CHECK(error.log().find("missing") != std::string::npos);
    }
  }
  CHECK(bench.stats().entries == 0);
}

TEST_CASE("a negative timeout is refused where the code is in memory, too") {
  const Bench bench;
  const std::string source = "__global__ void k() {}";
  const CodeObject held = compile(source, bench.options());
  const auto negative = bench.options().with(&CompileOptions::timeout, std::chrono::milliseconds(-1));
  CHECK_THROWS_AS(compile(source, negative), ArgumentError);
  CHECK_THROWS_AS(compile_all({{source, negative}})[0].get(), ArgumentError);
}

TEST_CASE("options that make no sense are refused by name") {
  const Bench bench;
  CHECK_THROWS_AS(compile("", bench.options().with_arch("hopper")), ArgumentError);
  CHECK_THROWS_AS(compile("", bench.options().with_arch("sm_42")), CompileError);
  CHECK_THROWS_AS(compile("", bench.options().with_target(Target::fatbin).with_backend(Backend::nvrtc)), ArgumentError);
  CHECK_THROWS_AS(compile("", bench.options().with_options({"-ptx"})), ArgumentError);
  CHECK_THROWS_AS(compile("", bench.options().with(&CompileOptions::timeout, std::chrono::milliseconds(-1))),
                  ArgumentError);
  CHECK_THROWS_AS(compile("", bench.options().with_options({"-arch=sm_90"})), ArgumentError);
  CHECK_THROWS_AS(compile(std::string("a\0b", 3), bench.options()), ArgumentError);
  CHECK_NOTHROW(compile("__global__ void k() {}", bench.options().with_options({"-arch=sm_80"})));
}

TEST_CASE("options for nvcc that make no sense are refused by name" * needs_nvcc()) {
  const Bench bench;
  CHECK_THROWS_AS(compile("", bench.options().with_nvcc({.code = "sm_80,sm_90"})), ArgumentError);
  CHECK_THROWS_AS(compile("", bench.options().with_nvcc({.code = "compute_80"})), ArgumentError);
  CHECK_THROWS_AS(compile("", bench.options().with_options({"-gencode=arch=compute_80,code=sm_80"})), ArgumentError);
}

TEST_CASE("the cache can be turned off") {
  const Bench bench;
  for (int i = 0; i < 2; ++i)
    CHECK_FALSE(compile("__global__ void off() {}", bench.options().with_cache(false)).from_cache());
  const EnvironmentGuard guard({{"PYCUDA_DISABLE_CACHE", "0"}});  // any value, as in PyCUDA
  for (int i = 0; i < 2; ++i) CHECK_FALSE(compile("__global__ void off() {}", bench.options()).from_cache());
  CHECK_FALSE(std::filesystem::exists(bench.scratch / "cache"));
}

TEST_CASE("default options come from the environment, before the user's") {
  const Bench bench;
  const EnvironmentGuard guard({{"KILN_DEFAULT_OPTIONS", "-DVALUE=7 '-DUNUSED=a b'"}});
  CHECK(compile(plain, bench.options()).bytes().size() > 500);
}

TEST_CASE("without a device KILN_ARCH is compiled for, all of it; without that the lowest there is") {
  const Bench bench;
  const CompileOptions options = bench.options().with_arch("");
  {
    const EnvironmentGuard guard({{"KILN_ARCH", "sm_90,sm_80"}});
    CHECK(compile("__global__ void k() {}", options).arch() == "sm_90");
  }
  CHECK(bench.stats().compiles == 2);
  CHECK(compile_for("__global__ void k() {}", options, {"sm_80"}).from_cache());
  CHECK(bench.stats().compiles == 2);
  const EnvironmentGuard guard({{"KILN_ARCH", std::nullopt}});
  CHECK(compile("__global__ void k() {}", options).arch() ==
        "sm_" + std::to_string(NvrtcLibrary::get().supported_archs().front()));
}

TEST_CASE("a device that the compiler does not know, and a driver that takes PTX only, get PTX") {
  const Bench bench;
  const CodeObject newer = compile_for("__global__ void k() {}", bench.options().with_arch(""), {"sm_999"});
  CHECK(newer.target() == Target::ptx);
  CHECK(newer.arch() == "compute_" + std::to_string(NvrtcLibrary::get().supported_archs().back()));
  const CodeObject text = compile_for("__global__ void k() {}", bench.options().with_arch(""), {"sm_90", false});
  CHECK(text.target() == Target::ptx);
  CHECK(text.arch() == "compute_90");
}

TEST_CASE("code that a driver refused is made again, in memory and on disk") {
  const Bench bench;
  const CodeObject code = compile("__global__ void k() {}", bench.options());
  discard(code);
  CHECK(bench.stats().corrupt == 1);
  CHECK(bench.stats().entries == 0);
  CHECK_FALSE(compile("__global__ void k() {}", bench.options()).from_cache());
  CHECK(bench.stats().compiles == 2);
}

TEST_CASE("compiling opens no driver") {
  const Bench bench;
  CHECK(in_new_process([&] {
    compile("__global__ void k() {}", bench.options().with_arch(""));
    return Driver::if_open() == nullptr;
  }));
}

TEST_CASE("threads compile the same and different sources") {
  const Bench bench;
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const std::string name = "kernel" + std::to_string(i % 4);
      const CodeObject code = compile("extern \"C\" __global__ void " + name + "() {}", bench.options());
      if (code.kernels().size() == 1 && code.kernels()[0].name == name) ++right;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
  CHECK(bench.stats().entries == 4);
  CHECK(bench.stats().stores == bench.stats().compiles);
}

TEST_CASE("a byte order mark before the source is no part of it, as in a file") {
  const Bench bench;
  const std::string source = "\xEF\xBB\xBF" + std::string(plain);
  const CompileOptions options = bench.options().with_defines({"VALUE=3"});
  CHECK_FALSE(compile(source, options).bytes().empty());
  CHECK(compile(plain, options).from_cache());
}

}  // namespace compile_test
