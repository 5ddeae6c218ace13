// Sources of strange bytes and names, by both compilers.
#include "worker/nvrtc/nvrtc_text.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "loop_step.hpp"
#include "real_nvcc.hpp"
#include "small_job.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace source_texts_test {

using namespace kiln;
using namespace kiln::test;

namespace {

bool has(std::string_view text, const std::string& part) { return text.find(part) != std::string_view::npos; }

std::string bytes_of(const std::string& text) {
  std::string list;
  for (const char c : text) list += (list.empty() ? "" : ", ") + std::to_string(static_cast<unsigned char>(c));
  return list;
}

const std::string kernel = "extern \"C\" __global__ void behind() {}\n";

}  // namespace

TEST_CASE("a byte 0xFF does not end the text") {
  const Bench bench;
  const CompileOptions options = bench.options().with_backend(Backend::nvrtc).with_target(Target::ptx);
  const auto compiled = [&](const std::string& source) { return compile(source, options); };
  CHECK(has(compiled("// caf\xff\n" + kernel).bytes(), ".entry behind("));
  CHECK(has(compiled("/* \xff\xff\n \xff */" + kernel + "// \xff").bytes(), ".entry behind("));
  CHECK(has(compile("#include \"x.h\"\n", options.with_headers({{"x.h", "// \xff\n" + kernel}})).bytes(), "behind("));
  const std::string literal = "__device__ const char text[] = \"a\xff\";\n" + kernel;
  try {
    compiled("\n" + literal);
    FAIL("compiled");
  } catch (const CompileError& error) {
    CHECK(has(error.what(), "0xFF in line 2"));
  }
  CHECK_THROWS_AS(compile("\xff" + kernel, options), CompileError);
}

TEST_CASE("sources of any name") {
  const Bench bench;
  std::vector<Backend> backends = {Backend::nvrtc};
  if (real_nvcc()) backends.push_back(Backend::nvcc);
  const std::string source =
      "__device__ const char name[] = __FILE__;\n__global__ void k(int* p) { p[0] = name[p[1]]; }";
  Turns turns(3);
  for (const Backend backend : backends)
    for (const std::string name : {"a\"b.cu", "-dash.cu", "a b.cu", "a\\b.cu", "a\nb.cu", "\xc3\xa4.cu", "a?b%s'.cu"}) {
      if (backend == Backend::nvcc && !turns.next()) continue;  // nvcc takes a second
      CAPTURE(static_cast<int>(backend));
      CAPTURE(name);
      const CompileOptions options = bench.options().with_backend(backend).with_name(name).with_target(Target::ptx);
      CHECK(has(compile(source, options).bytes(), "{" + bytes_of(name) + "}"));
      if (name != "-dash.cu" && name != "a\"b.cu") continue;
      CHECK(
          has(compile("extern \"C\" __device__ int l = __LINE__;", options.with_no_extern_c(false)).bytes(), "l = 1"));
      try {
        compile("// one\nint int;", options);
        FAIL("compiled");
      } catch (const CompileError& error) {
        CHECK(has(error.what(), name + "(2): error"));
        CHECK(has(error.what(), ">     2 | int int;"));
      }
    }
}

TEST_CASE("an error lists the user's options") {
  const Bench bench;
  try {
    compile("#include <stdint.h>\nint int;", bench.options().with_backend(Backend::nvrtc).with_options({"-DA=1"}));
    FAIL("compiled");
  } catch (const CompileError& error) {
    const std::string message = error.what();
    CHECK(message.substr(message.find("options:")) == "options: -DA=1 -arch=sm_80");
  }
}

TEST_CASE("a byte order mark before an in-memory header is no part of it") {
  const Bench bench;
  for (const Backend backend : {Backend::nvrtc, Backend::nvcc}) {
    if (backend == Backend::nvcc && !real_nvcc()) continue;
    const CompileOptions options = bench.options().with_backend(backend).with_headers(
        {{"a.h", "\xEF\xBB\xBF#include \"b.h\"\n"}, {"b.h", "\xEF\xBB\xBF#define NAME behind\n"}});
    CHECK(has(compile("#include \"a.h\"\nextern \"C\" __global__ void NAME() {}", options).bytes(), "behind"));
  }
}

TEST_CASE("a header on the disk with a byte order mark leads to nvcc" * needs_nvcc()) {
  const Bench bench;
  const ScratchFolder folder;
  folder.write("a.h", "\xEF\xBB\xBF#define NAME behind\n");
  const CodeObject code = compile("#include \"a.h\"\nextern \"C\" __global__ void NAME() {}",
                                  bench.options().with_include_dirs({folder.path()}));
  CHECK(code.backend() == Backend::nvcc);
  CHECK(has(code.bytes(), "behind"));
}

TEST_CASE("what only a host has leads to nvcc" * needs_nvcc()) {
  const Bench bench;
  for (const std::string header : {"cxxabi.h", "omp.h", "bits/stdc++.h", "ext/numeric_traits.h"}) {
    CAPTURE(header);
    CHECK(compile("#include <" + header + ">\n" + kernel, bench.options()).backend() == Backend::nvcc);
  }
  CHECK_THROWS_AS(compile("#include <kiln_no_such_header.h>\n" + kernel, bench.options()), CompileError);
}

TEST_CASE("constexpr functions of the host's library are called by kernels" * needs_nvcc()) {
  const Bench bench;
  const std::string source =
      "#include <tuple>\n__global__ void k(int* a) { std::tuple<int, int> t(a[0], 2); a[1] = std::get<0>(t); }";
  CHECK(compile(source, bench.options()).backend() == Backend::nvcc);
  CHECK(in_new_process([&] { return compile(source, bench.options()).from_cache(); }));
}

TEST_CASE("a new source without a name is not said to be a changed one") {
  const Bench bench;
  const EnvironmentGuard guard({{"KILN_LOG", "info"}});
  std::vector<std::string> said;
  set_log_handler([&](LogLevel, const std::string& message) { said.push_back(message); });
  compile(kernel, bench.options());
  compile(kernel + "// another", bench.options());
  compile(kernel, bench.options().with_name("mine.cu"));
  compile(kernel + "// another", bench.options().with_name("mine.cu"));
  set_log_handler({});
  std::size_t changed = 0;
  for (const std::string& line : said) {
    if (!has(line, "the source changed")) continue;
    CHECK(has(line, "mine.cu"));
    ++changed;
  }
  CHECK(changed == 1);
}

}  // namespace source_texts_test
