// Code of the cache is what a compile would make now, in whatever order the folders are searched.
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include "base/environment.hpp"
#include "toolkit/locate/host_compiler.hpp"

#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "real_nvcc.hpp"

#include <doctest/doctest.h>

namespace search_order_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// The value in the code, and whether it came from the cache.
std::string answer(const std::string& source, const CompileOptions& options) {
  const CodeObject code = compile(source, options);
  const std::string text(code.bytes());
  const std::size_t at = text.find("KILN_VALUE_");
  return (at == text.npos ? std::string("none") : text.substr(at + 11, 1)) + (code.from_cache() ? " cached" : "");
}

/// Its PTX holds the VALUE of a header.
const std::string tail =
    "\n#define TEXT2(x) #x\n#define TEXT(x) \"// KILN_VALUE_\" TEXT2(x)\n"
    "extern \"C\" __global__ void k() { asm volatile(TEXT(VALUE)); }\n";

bool gives(const std::string& expected, const std::string& source, const CompileOptions& options) {
  return in_new_process([&] {
    const std::string got = answer(source, options);
    if (got != expected) std::fprintf(stderr, "expected %s, got %s\n", expected.c_str(), got.c_str());
    return got == expected;
  });
}

std::vector<Backend> backends_here() {
  if (real_nvcc()) return {Backend::nvrtc, Backend::nvcc};
  return {Backend::nvrtc};
}

}  // namespace

TEST_CASE("folders of -isystem are searched behind all of -I, and so is noted what must not appear") {
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    bench.header("system/h.h", "#define VALUE 1\n");
    bench.header("plain/x.h", "");
    bench.header("member/x.h", "");
    const CompileOptions options =
        bench.options()
            .with_target(Target::ptx)
            .with_backend(backend)
            .with_options({"-isystem", (bench.scratch / "system").string(), "-I" + (bench.scratch / "plain").string()})
            .with_include_dirs({bench.scratch / "member"});
    const std::string source = "#include <h.h>" + tail;
    CHECK(gives("1", source, options));
    CHECK(gives("1 cached", source, options));
    bench.header("member/h.h", "#define VALUE 2\n");
    CHECK(gives("2", source, options));
    bench.header("plain/h.h", "#define VALUE 3\n");
    CHECK(gives("3", source, options));
  }
}

TEST_CASE("what a header quotes may appear in the source's folder, where nvcc's host compiler looks for it") {
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    bench.header("one/a.h", "#include \"b.h\"\n");
    bench.header("two/b.h", "#define VALUE 1\n");
    const CompileOptions options = bench.options()
                                       .with_target(Target::ptx)
                                       .with_backend(backend)
                                       .with_name((bench.scratch / "source/k.cu").string())
                                       .with_include_dirs({bench.scratch / "one", bench.scratch / "two"});
    const std::string source = "#include <a.h>" + tail;
    CHECK(gives("1", source, options));
    CHECK(gives("1 cached", source, options));
    bench.header("source/b.h", "#define VALUE 2\n");
    const bool is_nvcc = backend == Backend::nvcc;
    CHECK(gives(is_nvcc ? "2" : "1", source, options.with_cache(false)));
    CHECK(gives(is_nvcc ? "2" : "1 cached", source, options));
  }
}

TEST_CASE("what comes with the names that nvcc declares is Kiln's own where the source includes nothing") {
  const Bench bench;
  bench.header("inc/stdint.h", "typedef unsigned int uint32_t;\n#define VALUE 1\n");
  const CompileOptions options =
      bench.options().with_target(Target::ptx).with_backend(Backend::nvrtc).with_include_dirs({bench.scratch / "inc"});
  const std::string source = "__device__ uint32_t x;\n#ifndef VALUE\n#define VALUE 0\n#endif" + tail;
  CHECK(gives("0", source, options));
  CHECK(gives("0 cached", source, options));
}

TEST_CASE("a header beside the source is taken for its own, and not a stand-in of that name") {
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    bench.header("source/pycuda-helpers.hpp", "#define VALUE 4\n");
    const CompileOptions options = bench.options()
                                       .with_target(Target::ptx)
                                       .with_backend(backend)
                                       .with_name((bench.scratch / "source/k.cu").string());
    const std::string source = "#include \"pycuda-helpers.hpp\"" + tail;
    CHECK(gives("4", source, options));
  }
}

TEST_CASE("relative folders of CPATH count from the caller's working folder for nvcc, too" * needs_nvcc()) {
  const Bench bench;
  bench.header("work/inc/h.h", "#define VALUE 5\n");
  const EnvironmentGuard guard({{"CPATH", "inc"}});
  const CompileOptions options = bench.options().with_target(Target::ptx).with_backend(Backend::nvcc);
  CHECK(in_new_process([&] {
    std::filesystem::current_path(bench.scratch / "work");
    return answer("#include <h.h>" + tail, options) == "5";
  }));
}

TEST_CASE("a host compiler is known however it is named" * needs_nvcc()) {
  const Bench bench;
  const auto script = [&](const char* text) {
    bench.header("bin/own-g++", std::string("#!/bin/sh\n") + text + "exec g++ \"$@\"\n");
    std::filesystem::permissions(bench.scratch / "bin/own-g++", std::filesystem::perms::owner_all);
  };
  script("");
  const CompileOptions options = bench.options()
                                     .with_target(Target::ptx)
                                     .with_backend(Backend::nvcc)
                                     .with_defines({{"VALUE", "8"}})
                                     .with_options({"-ccbin " + (bench.scratch / "bin/own-g++").string()});
  CHECK(gives("8", tail, options));
  CHECK(gives("8 cached", tail, options));
  const EnvironmentGuard guard({{"COMPILER_PATH", (bench.scratch / "bin").string()}});
  CHECK(gives("8", tail, options));
  CHECK(gives("8 cached", tail, options));
  script("# another\n");
  CHECK(gives("8", tail, options));
}

TEST_CASE("code of nvcc with Clang is kept, and noticed to be stale" * needs_nvcc()) {
  if (host_compiler_files({"clang++", environment("PATH").value_or("")}).empty())
    return static_cast<void>(std::puts("skipped: no clang++ on this machine"));
  const Bench bench;
  bench.header("inc/h.h", "#define VALUE 1\n");
  const CompileOptions options = bench.options()
                                     .with_target(Target::ptx)
                                     .with_backend(Backend::nvcc)
                                     .with_include_dirs({bench.scratch / "none", bench.scratch / "inc"})
                                     .with_options({"-ccbin", "clang++", "--allow-unsupported-compiler"});
  CHECK(gives("1", "#include <h.h>" + tail, options));
  CHECK(gives("1 cached", "#include <h.h>" + tail, options));
  bench.header("none/h.h", "#define VALUE 2\n");
  CHECK(gives("2", "#include <h.h>" + tail, options));
}

TEST_CASE("what a host compiler reads that hides it is not known, and its code is not kept" * needs_nvcc()) {
  const Bench bench;
  bench.header("bin/g++", "#!/bin/sh\nexec env -u LD_PRELOAD g++ \"$@\"\n");
  std::filesystem::permissions(bench.scratch / "bin/g++", std::filesystem::perms::owner_all);
  const CompileOptions options = bench.options()
                                     .with_target(Target::ptx)
                                     .with_backend(Backend::nvcc)
                                     .with_defines({{"VALUE", "8"}})
                                     .with_options({"-ccbin " + (bench.scratch / "bin/g++").string()});
  CHECK(gives("8", tail, options));
  CHECK(gives("8", tail, options));
  CHECK(bench.stats().refused_unknown_headers == 2);
}

TEST_CASE("a source that asks for a header in a way that its text does not show is not kept") {
  const Bench bench;
  bench.header("inc/other.h", "");
  const CompileOptions options =
      bench.options().with_target(Target::ptx).with_backend(Backend::nvrtc).with_include_dirs({bench.scratch / "inc"});
  const std::string source =
      "#define CAT(a, b) a##b\n#if CAT(__has_inc, lude)(<x.h>)\n#define VALUE 2\n#else\n#define VALUE 1\n#endif" + tail;
  CHECK(gives("1", source, options));
  bench.header("inc/x.h", "");
  CHECK(gives("2", source, options));
  CHECK(bench.stats().refused_unknown_headers == 2);
}

TEST_CASE("what Kiln does not look at is not kept: another libdevice, folders handed to the host compiler" *
          needs_nvcc()) {
  const Bench bench;
  const CompileOptions options = bench.options().with_target(Target::ptx).with_backend(Backend::nvcc);
  const CompileOptions host = options.with_options({"-forward-unknown-to-host-compiler", "-idirafter/usr/include"})
                                  .with_defines({{"VALUE", "6"}});
  CHECK(gives("6", tail, host));
  CHECK(gives("6", tail, host));
  const CompileOptions device =
      options.with_options({"-ldir", nvcc_root(*real_nvcc()) + "/nvvm/libdevice"}).with_defines({{"VALUE", "7"}});
  CHECK(gives("7", tail, device));
  CHECK(gives("7", tail, device));
}

TEST_CASE("variables that nvcc takes options from, and that no key shows, change nothing" * needs_nvcc()) {
  const std::string source =
      "#ifndef VALUE\n#define VALUE 1\n#endif\n__global__ void k(float* a) { a[0] = VALUE + a[1] * a[2] + a[3]; }\n";
  const Bench bench;
  const CompileOptions options = bench.options().with_backend(Backend::nvcc);
  const CodeObject plain = compile(source, options);
  for (const char* variable : {"INCLUDES=-DVALUE=2", "SYSTEM_INCLUDES=-DVALUE=2", "NVVM_FLAGS=-O0", "OCG_FLAGS=-O0",
                               "PTXAS_FLAGS=-O0", "CUDAFE_FLAGS=--no-such-option", "compiler-bindir=/no such folder"}) {
    CAPTURE(variable);
    const std::string text = variable;
    const EnvironmentGuard guard({{text.substr(0, text.find('=')), text.substr(text.find('=') + 1)}});
    CHECK(compile(source, options.with_cache(false)).bytes() == plain.bytes());
  }
}

TEST_CASE("a header that includes itself, or is included by what it includes, is no less looked at") {
  const Bench bench;
  bench.header("inc/self.h", "#ifndef SELF_H\n#define SELF_H\n#define VALUE 1\n#include \"self.h\"\n#endif\n");
  bench.header("inc/first.h", "#ifndef FIRST_H\n#define FIRST_H\n#include \"../inc/second.h\"\n#endif\n");
  bench.header("inc/second.h",
               "#ifndef SECOND_H\n#define SECOND_H\n#include \"../inc/first.h\"\n#define VALUE 1\n#endif\n");
  bench.header("inc/last.h", "");
  const CompileOptions options =
      bench.options().with_target(Target::ptx).with_backend(Backend::nvrtc).with_include_dirs({bench.scratch / "inc"});
  for (const char* name : {"self.h", "first.h"}) {
    CAPTURE(name);
    const std::string source = std::string("#include <") + name + ">\n#include <last.h>\n" + tail;
    CHECK(gives("1", source, options));
    CHECK(gives("1 cached", source, options));
  }
  bench.header("inc/self.h", "#ifndef SELF_H\n#define SELF_H\n#define VALUE 2\n#include \"self.h\"\n#endif\n");
  bench.header("inc/second.h",
               "#ifndef SECOND_H\n#define SECOND_H\n#include \"../inc/first.h\"\n#define VALUE 2\n#endif\n");
  CHECK(gives("2", "#include <self.h>\n#include <last.h>\n" + tail, options));
  CHECK(gives("2", "#include <first.h>\n#include <last.h>\n" + tail, options));
}

}  // namespace search_order_test
