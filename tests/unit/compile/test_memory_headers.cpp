// In-memory headers mean what files would, for both compilers.
#include "compile/headers/memory_headers.hpp"
#include "compile/worker/worker_pool.hpp"

#include <kiln/error.hpp>

#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "real_nvcc.hpp"
#include "small_job.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace memory_headers_test {

using namespace kiln;
using namespace kiln::test;

namespace fs = std::filesystem;

namespace {

using Headers = std::map<std::string, std::string>;

std::vector<Backend> backends_here() {
  if (real_nvcc()) return {Backend::nvrtc, Backend::nvcc};
  return {Backend::nvrtc};
}

/// Its PTX holds the VALUE of a header.
const std::string tail =
    "\n#define TEXT2(x) #x\n#define TEXT(x) \"// KILN_VALUE_\" TEXT2(x)\n"
    "extern \"C\" __global__ void k() { asm volatile(TEXT(VALUE)); }\n";

std::string value_of(const CodeObject& code) {
  const std::string text(code.bytes());
  const std::size_t at = text.find("KILN_VALUE_");
  return at == text.npos ? "none" : text.substr(at + 11, 1);
}

std::string value(const Bench& bench, Backend backend, const std::string& source, const Headers& headers,
                  const CompileOptions& options = {}) {
  return value_of(compile(source + tail, options.with_arch("sm_80")
                                             .with_caching({bench.scratch / "cache"})
                                             .with_target(Target::ptx)
                                             .with_backend(backend)
                                             .with_headers(headers)));
}

}  // namespace

TEST_CASE("a quoted name is looked for beside the in-memory header first, and by every spelling of its path") {
  // clang-format off
  const Headers headers = {
      {"a/x.h", "#include \"util.h\"\n"}, {"a/util.h", "#define VALUE 1\n"}, {"util.h", "#define VALUE 2\n"},
      {"a/up.h", "#include \"../util.h\"\n"}, {"a/b/deep.h", "#include \"../../a/./util.h\"\n"},
      {"a/angle.h", "#include <util.h>\n"}, {"a/root.h", "#include \"only_root.h\"\n"},
      {"only_root.h", "#define VALUE 3\n"}, {"./odd//name.h", "#define VALUE 4\n"},
      {"a/asks.h", "#if __has_include(\"only_a.h\") && !__has_include(<only_a.h>)\n#define VALUE 5\n#endif\n"},
      {"a/only_a.h", ""}, {"once.h", "#pragma once\n#ifdef VALUE\n#undef VALUE\n#define VALUE 9\n#else\n#define VALUE 6\n#endif\n"},
      {"a/once_again.h", "#include \"../once.h\"\n#include <once.h>\n#include \"once.h\"\n"},
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"#include \"a/x.h\"", "1"}, {"#include \"a/up.h\"", "2"}, {"#include \"./a/b/../up.h\"", "2"},
      {"#include <a/b/deep.h>", "1"}, {"#include \"a/angle.h\"", "2"}, {"#include \"a/root.h\"", "3"},
      {"#include \"odd/name.h\"", "4"}, {"#include \"a/asks.h\"", "5"},
      {"#include \"once.h\"\n#include \"a/once_again.h\"", "6"},
      {"#define NAME \"a/x.h\"\n#include NAME", "1"},
  };
  // clang-format on
  const Bench bench;
  for (const Backend backend : backends_here())
    for (const auto& one : cases) {
      CAPTURE(static_cast<int>(backend));
      CAPTURE(one.first);
      CHECK(value(bench, backend, one.first, headers) == one.second);
    }
}

TEST_CASE("in-memory headers come before all folders, and after the folder of a header that is a file") {
  const Bench bench;
  bench.header("inc/d.h", "#include \"util.h\"\n");
  bench.header("inc/util.h", "#define VALUE 1\n");
  bench.header("inc/angle.h", "#include <util.h>\n");
  bench.header("inc/sub/far.h", "#include \"util.h\"\n");
  bench.header("source/util.h", "#define VALUE 3\n");
  bench.header("source/beside.h", "#define VALUE 4\n");
  const Headers headers = {{"util.h", "#define VALUE 2\n"}, {"reach.h", "#include \"beside.h\"\n"}};
  const CompileOptions options =
      CompileOptions{}.with_include_dirs({bench.scratch / "inc"}).with_name((bench.scratch / "source/k.cu").string());
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    CHECK(value(bench, backend, "#include <d.h>", headers, options) == "1");
    CHECK(value(bench, backend, "#include <angle.h>", headers, options) == "2");
    CHECK(value(bench, backend, "#include <sub/far.h>", headers, options) == "2");
    CHECK(value(bench, backend, "#include \"util.h\"\n#include <angle.h>", headers, options) == "2");
    CHECK(value(bench, backend, "#include \"reach.h\"", headers, options) == "4");
  }
}

TEST_CASE("code of the cache is what the folders would give today") {
  const std::string source = "#include <d.h>\n#include \"mine.h\"";
  const Headers headers = {{"util.h", "#define VALUE 2\n"}, {"mine.h", "#include \"late.h\"\n"}, {"late.h", ""}};
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    bench.header("inc/d.h", "#include \"util.h\"\n");
    const CompileOptions options = CompileOptions{}.with_include_dirs({bench.scratch / "inc"});
    const auto gives = [&](const std::string& expected) {
      return in_new_process([&] { return value(bench, backend, source, headers, options) == expected; });
    };
    CHECK(gives("2"));
    CHECK(gives("2"));
    CHECK(bench.stats().compiles == 1);
    bench.header("inc/util.h", "#define VALUE 7\n");  // beside the header that quotes it
    CHECK(gives("7"));
    bench.header("inc/late.h", "#error never read\n");  // behind the one in memory
    CHECK(gives("7"));
    CHECK(bench.stats().compiles == 2);
  }
}

TEST_CASE("names and lines are the header's own, and no folder is left") {
  const Bench bench;
  const fs::path folder = bench.scratch / "tmp";
  fs::create_directory(folder);
  const EnvironmentGuard guard({{"TMPDIR", folder.string()}});
  const Headers headers = {{"a/x.h", "#include \"util.h\"\n// two\nint int;\n"},
                           {"a/util.h", "__device__ const char* where = __FILE__;\n"}};
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    std::string message;
    try {
      value(bench, backend, "// one\n#include \"a/x.h\"", headers);
    } catch (const CompileError& error) {
      message = error.what();
    }
    CHECK(message.find("a/x.h(3): error") != std::string::npos);
    CHECK(message.find(">     3 | int int;") != std::string::npos);
    const std::string shown = message.substr(0, message.find("command:"));
    CHECK(shown.find(folder.string()) == std::string::npos);
    WorkerPool::get().clear();  // which has a folder of its own there
    CHECK(fs::is_empty(folder));
    const CodeObject code =
        compile("#include \"a/util.h\"\n#include <cuda_fp16.h>\n__global__ void k() { where = 0; }",
                bench.options().with_backend(backend).with_headers(headers).with_target(Target::ptx));
    CHECK(code.bytes().find("97, 47, 117, 116, 105, 108, 46, 104") != std::string::npos);  // a/util.h
    CHECK(code.bytes().find(folder.string()) == std::string::npos);
    WorkerPool::get().clear();
    CHECK(fs::is_empty(folder));
  }
}

TEST_CASE("NVRTC gets headers by their names where that is the same, and needs no folder then") {
  CompilerJob job = test::job("#include \"x.h\"\n#include <sub/y.h>\n");
  job.headers = {{"x.h", "#include \"sub/y.h\"\n"}, {"sub/y.h", "#include <x.h>\n"}};
  CHECK(names_suffice(job));
  const auto suffices_with = [&](const std::string& text) {
    CompilerJob changed = job;
    changed.headers["sub/y.h"] = text;
    return names_suffice(changed);
  };
  CHECK(suffices_with("// none\n"));
  CHECK_FALSE(suffices_with("#include \"y.h\"\n"));        // sub/y.h
  CHECK_FALSE(suffices_with("#include \"../x.h\"\n"));     // another spelling
  CHECK_FALSE(suffices_with("#include <cuda_fp16.h>\n"));  // what that quotes is not known
  CHECK_FALSE(suffices_with("#include NAME\n"));
  CHECK_FALSE(suffices_with("#include_next <x.h>\n"));
  CHECK_FALSE(suffices_with("// \xff\n"));
  job.headers["sub/x.h"] = "";
  CHECK(names_suffice(job));
  CHECK_FALSE(suffices_with("#include \"x.h\"\n"));

  const Bench bench;
  const EnvironmentGuard guard({{"TMPDIR", (bench.scratch / "missing").string()}});
  CHECK(value(bench, Backend::nvrtc, "#include \"x.h\"", {{"x.h", "#define VALUE 8\n"}}) == "8");
}

TEST_CASE("headers that no folder could hold are refused") {
  const Bench bench;
  const auto refuses = [&](const Headers& headers, const std::string& word) {
    try {
      value(bench, Backend::nvrtc, "", headers);
    } catch (const ArgumentError& error) {
      return std::string(error.what()).find(word) != std::string::npos;
    }
    return false;
  };
  CHECK(refuses({{"x.h", "1"}, {"./x.h", "2"}}, "x.h"));
  CHECK(refuses({{"x.h", std::string("a\0b", 3)}}, "zero byte"));
  CHECK(normal_headers({{"x.h", "1"}, {"./x.h", "1"}, {"/m/x.h", ""}}) == Headers{{"x.h", "1"}, {"/m/x.h", ""}});
}

}  // namespace memory_headers_test
