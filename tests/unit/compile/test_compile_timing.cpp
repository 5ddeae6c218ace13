// CompileOptions::timing and CodeObject::timing().
#include "worker/nvrtc/nvrtc_compile.hpp"

#include <kiln/compile.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "scratch_folder.hpp"
#include "small_job.hpp"

namespace compile_timing_test {

using namespace kiln;
using kiln::test::Bench;
using kiln::test::EnvironmentGuard;
using kiln::test::ScratchFolder;

namespace {

constexpr const char* source = "#include \"timed.h\"\nextern \"C\" __global__ void k(float* a) { a[0] = one(a[1]); }";
constexpr const char* header = "__device__ inline float one(float x) { return sinf(x) + 1; }\n";

CompilerJob timed_job() {
  CompilerJob made = test::job(source);
  made.headers = {{"timed.h", header}};
  made.timing = true;
  return made;
}

CompileOptions timed(const Bench& bench) {
  return bench.options().with_headers({{"timed.h", header}}).with(&CompileOptions::timing, true);
}

bool tells_headers() { return NvrtcLibrary::get().version_number() >= std::pair{13, 0}; }

bool says_time(const std::string& option) { return option.find("time") != std::string::npos; }

bool has_no_phase(const CompilerTimes& times) { return !times.front_end && !times.optimizer && !times.ptxas; }

}  // namespace

TEST_CASE("NVRTC tells its phases, and the headers") {
  const ScratchFolder scratch;
  const EnvironmentGuard guard({{"TMPDIR", scratch.path().string()}});
  const CompilerOutput output = compile_with_nvrtc(NvrtcLibrary::get(), timed_job());
  REQUIRE(output.times.has_value());
  if (NvrtcLibrary::get().version_number() >= std::pair{12, 1}) {
    CHECK(output.times->front_end.has_value());
    CHECK(output.times->optimizer.has_value());
    CHECK(output.times->ptxas.has_value());
  }
  const auto& slowest = output.times->slowest_headers;
  const auto is_own = [](const HeaderTime& one) { return one.name == "timed.h"; };
  CHECK(output.times->headers.has_value() == tells_headers());
  CHECK(std::any_of(slowest.begin(), slowest.end(), is_own) == tells_headers());
  CHECK(std::none_of(output.options.begin(), output.options.end(), says_time));
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("timing changes no code, whatever the options") {
  for (const char* option : {"", "-G", "-lineinfo", "-Ofc=max", "-rdc=true", "--split-compile=2"}) {
    CAPTURE(option);
    CompilerJob made = timed_job();
    if (*option != '\0') made.arguments = {option};
    const std::string code = compile_with_nvrtc(NvrtcLibrary::get(), made).code;
    made.timing = false;
    CHECK(compile_with_nvrtc(NvrtcLibrary::get(), made).code == code);
  }
}

TEST_CASE("without a folder to write to there are no times, and the code all the same") {
  const EnvironmentGuard guard({{"TMPDIR", "/nowhere/at/all"}});
  const CompilerOutput output = compile_with_nvrtc(NvrtcLibrary::get(), timed_job());
  CHECK_FALSE(output.code.empty());
  REQUIRE(output.times.has_value());
  CHECK(has_no_phase(*output.times));
}

TEST_CASE("where a trace would not fit the headers are not told, and nothing crashes") {
  CHECK(test::in_new_process([] {
    const rlimit small = {4096, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const CompilerOutput output = compile_with_nvrtc(NvrtcLibrary::get(), timed_job());
    return !output.code.empty() && output.times && !output.times->headers;
  }));
}

TEST_CASE("the user's own table of times is written, and Kiln's is not") {
  const ScratchFolder scratch;
  CompilerJob made = timed_job();
  made.arguments = {"--time=" + (scratch / "own").string()};
  const CompilerOutput output = compile_with_nvrtc(NvrtcLibrary::get(), made);
  CHECK(std::filesystem::exists(scratch / "own"));
  REQUIRE(output.times.has_value());
  CHECK(has_no_phase(*output.times));
}

TEST_CASE("a job that asks for no times gets none") {
  CompilerJob made = timed_job();
  made.timing = false;
  CHECK_FALSE(compile_with_nvrtc(NvrtcLibrary::get(), made).times.has_value());
}

TEST_CASE("a compile has all times, and code from the cache that of the look-up") {
  const Bench bench;
  CHECK(test::in_new_process([&] {
    const CodeObject compiled = compile(source, timed(bench));
    const CompileTiming& timing = compiled.timing();
    return !compiled.from_cache() && timing.compile && timing.front_end && timing.store && !timing.precompiled_header &&
           timing.headers.has_value() == tells_headers();
  }));
  for (const char* place : {"disk", "memory"}) {
    CAPTURE(place);
    const CodeObject found = compile(source, timed(bench));
    CHECK(found.from_cache());
    CHECK_FALSE(found.timing().compile.has_value());
    CHECK_FALSE(found.timing().headers.has_value());
    CHECK_FALSE(found.timing().store.has_value());
  }
  CHECK(bench.stats().compiles == 1);
}

TEST_CASE("code with times and code without are one entry") {
  const Bench bench;
  const CodeObject plain = compile(source, bench.options().with_headers({{"timed.h", header}}));
  CHECK(compile(source, timed(bench)).from_cache());
  const Bench other;
  const CodeObject made = compile(source, timed(other));
  CHECK(made.bytes() == plain.bytes());
  CHECK(made.effective_options() == plain.effective_options());
}

TEST_CASE("times come from compile_all, too") {
  const Bench bench;
  const CompileRequest request{source, timed(bench)};
  for (const bool from_cache : {false, true}) {
    const auto results = compile_all({request});
    CHECK(results[0].get().timing().compile.has_value() == !from_cache);
  }
}

TEST_CASE("times that were not measured are an error that names the option") {
  const Bench bench;
  const CodeObject code = compile("__global__ void k() {}", bench.options());
  try {
    (void)code.timing();
    FAIL("there are times");
  } catch (const ArgumentError& error) {
    CHECK(std::string(error.what()).find("CompileOptions::timing") != std::string::npos);
  }
}

}  // namespace compile_timing_test
