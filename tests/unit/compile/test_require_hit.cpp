// CacheOptions::require_hit and KILN_REQUIRE_CACHED: what the cache has is given, and nothing else is made.
#include "ir_texts.hpp"
#include "link_bench.hpp"
#include "real_nvcc.hpp"

#include <kiln/compile_all.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace require_hit_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char* source = "__global__ void wanted(int *out) { *out = VALUE; }";

CompileOptions options_of(const Bench& bench) {
  return bench.options().with_name("wanted.cu").with_defines({{"VALUE", 1}});
}

CompileOptions required(CompileOptions options) {
  options.caching.require_hit = true;
  return options;
}

/// What is said where the work needs a compile; fails where it does not.
std::string refusal_of(const Bench& bench, const std::function<void()>& work) {
  const CacheStats before = bench.stats();
  std::string text;
  try {
    work();
    FAIL("nothing was thrown");
  } catch (const NotCached& error) {
    text = error.what();
  }
  const CacheStats after = bench.stats();
  CHECK(after.compiles == before.compiles);
  CHECK(after.misses == before.misses + 1);
  CHECK(after.entries == before.entries);
  return text;
}

void check_says(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) CHECK_MESSAGE(contains(text, word), text << "\n lacks " << word);
}

}  // namespace

TEST_CASE("a source that is not in the cache: what, why, and how to fill it; and what is there is given") {
  const Bench bench;
  const CompileOptions options = options_of(bench);
  check_says(refusal_of(bench, [&] { compile(source, required(options)); }),
             {"\"wanted.cu\" for sm_80", "CacheOptions::require_hit forbids NVRTC", "no earlier compile of that name",
              (bench.scratch / "cache").string(), "KILN_RECORD=FILE", "kiln cache warm FILE --arch sm_80"});
  REQUIRE(in_new_process([&] { return !compile(source, options).from_cache(); }));
  CHECK(compile(source, required(options)).from_cache());  // on disk
  CHECK(compile(source, required(options)).from_cache());  // in memory
  try {
    compile(source, required(options.with_defines({{"VALUE", 2}})));
    FAIL("nothing was thrown");
  } catch (const NotCached& error) {
    CHECK(error.name() == "wanted.cu");
    CHECK(error.arch() == "sm_80");
    REQUIRE_FALSE(error.reasons().empty());
    CHECK_MESSAGE(contains(error.reasons().front(), "VALUE"), error.reasons().front());
  }
}

TEST_CASE("KILN_REQUIRE_CACHED is the same for all requests of a process; 0 is none") {
  const Bench bench;
  EnvironmentGuard environment({{"KILN_REQUIRE_CACHED", "1"}});
  check_says(refusal_of(bench, [&] { compile(source, options_of(bench)); }), {"KILN_REQUIRE_CACHED forbids NVRTC"});
  environment.set("KILN_REQUIRE_CACHED", "0");
  CHECK_FALSE(compile(source, options_of(bench)).from_cache());
}

TEST_CASE("what is never kept cannot be found") {
  const Bench bench;
  const CompileOptions options = required(options_of(bench));
  try {
    compile(source, options.with_cache(false));
    FAIL("nothing was thrown");
  } catch (const NotCached& error) {
    check_says(error.what(), {"switched off"});
  }
  check_says(refusal_of(bench, [&] { compile("__device__ const char *now = __TIME__;", options); }),
             {"never kept", "__TIME__"});
}

TEST_CASE("a read-only folder's code is a hit, and says why it has none") {
  const Bench bench;
  compile(source, options_of(bench));
  CompileOptions elsewhere = required(options_of(bench));
  elsewhere.caching.dir = bench.scratch / "empty";
  elsewhere.caching.read_only_dirs = {bench.scratch / "cache"};
  CHECK(compile(source, elsewhere).from_cache());
  elsewhere.options = {"--use_fast_math"};
  try {
    compile(source, elsewhere);
    FAIL("nothing was thrown");
  } catch (const NotCached& error) {
    check_says(error.what(), {"--use_fast_math", (bench.scratch / "cache").string()});
  }
}

TEST_CASE("nvcc" * needs_nvcc()) {
  const Bench bench;
  const CompileOptions options = options_of(bench).with_backend(Backend::nvcc);
  check_says(refusal_of(bench, [&] { compile(source, required(options)); }), {"forbids nvcc"});
  REQUIRE(in_new_process([&] { return !compile(source, options).from_cache(); }));
  CHECK(compile(source, required(options)).from_cache());
}

TEST_CASE("NVVM IR") {
  const Bench bench;
  const CompileOptions options = bench.options().with(&CompileOptions::language, Language::nvvm_ir);
  check_says(refusal_of(bench, [&] { compile(sine_ir, required(options)); }), {"\"kernel.ll\" for sm_80", "libnvvm"});
  REQUIRE(in_new_process([&] { return !compile(sine_ir, options).from_cache(); }));
  CHECK(compile(sine_ir, required(options)).from_cache());
}

TEST_CASE("a link") {
  const LinkBench bench;
  LinkOptions options = bench.link_options();
  options.arch = "sm_90";
  options.name = "program";
  const CodeObject main = bench.main_code(), plug = bench.plug_code();
  const auto link = [&] { return Linker(options).add(main).add(plug).link(); };
  options.caching.require_hit = true;
  check_says(refusal_of(bench, link), {"\"program\" for sm_90", "nvJitLink"});
  options.caching.require_hit = false;
  REQUIRE(in_new_process([&] { return !link().from_cache(); }));
  options.caching.require_hit = true;
  CHECK(link().from_cache());
}

TEST_CASE("compile_all: each request for itself, and one that may compile beside an equal one that may not") {
  const Bench bench;
  const CompileOptions options = options_of(bench);
  compile(source, options);
  const CompileOptions other = options.with_defines({{"VALUE", 2}});
  const auto results = compile_all({{source, required(options)},
                                    {source, required(other)},
                                    {source, required(other)},
                                    {source, other},
                                    {source, required(options.with_defines({{"VALUE", 3}}))}},
                                   {}, 1);
  CHECK(results[0].ok());
  for (const std::size_t i : {1U, 2U, 4U}) CHECK_THROWS_AS((void)results[i].get(), NotCached);
  CHECK(results[3].ok());
  CHECK(bench.stats().compiles == 2);
}

}  // namespace require_hit_test
