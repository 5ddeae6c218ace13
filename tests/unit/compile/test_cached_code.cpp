// What a cache has of one request, what memory serves is counted, and how much of it memory keeps.
#include "compile_bench.hpp"
#include "ir_texts.hpp"
#include "run_program.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace cached_code_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char* source = "__global__ void cached(int *out) { *out = 1; }";
constexpr const char* other_source = "__global__ void other(int *out) { *out = 2; }";

Cache cache_of(const Bench& bench) { return Cache(bench.scratch / "cache"); }

}  // namespace

TEST_CASE("is_cached: in memory, on disk, and not; nothing is compiled, nothing counted") {
  const Bench bench;
  const EnvironmentGuard environment({{"KILN_DISABLE_CACHE", std::nullopt}, {"PYCUDA_DISABLE_CACHE", std::nullopt}});
  CHECK_FALSE(is_cached(source, bench.options()));
  CHECK_FALSE(std::filesystem::exists(bench.scratch / "cache/v3"));
  REQUIRE(in_new_process([&] { return !compile(source, bench.options()).from_cache(); }));
  const CacheStats before = bench.stats();
  CHECK(is_cached(source, bench.options()));  // on disk
  CHECK(is_cached(source, bench.options()));  // in memory
  CHECK_FALSE(is_cached(other_source, bench.options()));
  CHECK_FALSE(is_cached(source, bench.options().with_defines({"X"})));
  CHECK_FALSE(is_cached(source, bench.options().with_cache(false)));
  const CacheStats after = bench.stats();
  CHECK(after.hits == before.hits);
  CHECK(after.memory_hits == before.memory_hits);
  CHECK(after.misses == before.misses);
  CHECK(after.compiles == 1);
  CHECK_THROWS_AS(is_cached(source, bench.options().with_arch("nonsense")), ArgumentError);
}

TEST_CASE("is_cached: a header that changed, and one that did not") {
  const Bench bench;
  bench.header("value.h", "#define VALUE 1\n");
  const CompileOptions options = bench.options().with_include_dirs({bench.scratch.path()});
  const char* const including = "#include <value.h>\n__global__ void k(int *out) { *out = VALUE; }";
  REQUIRE(in_new_process([&] { return !compile(including, options).from_cache(); }));
  CHECK(is_cached(including, options));  // on disk
  CHECK(is_cached(including, options));  // in memory
  bench.header("value.h", "#define VALUE 2\n");
  CHECK_FALSE(is_cached(including, options));
}

TEST_CASE("a header that a callback gives is part of the request") {
  const Bench bench;
  std::string text = "#define VALUE 1";
  CompileOptions options = bench.options();
  options.header_callback = [&](const std::string& name) {
    return name == "value.h" ? std::optional<std::string>(text) : std::nullopt;
  };
  const char* const including = "#include <value.h>\n__global__ void k(int *out) { *out = VALUE; }";
  compile(including, options);
  CHECK(is_cached(including, options));
  CHECK(cache_of(bench).read(including, options));
  text = "#define VALUE 2";
  CHECK_FALSE(is_cached(including, options));
  CHECK_FALSE(cache_of(bench).remove(including, options));
  text = "#define VALUE 1";
  CHECK(cache_of(bench).remove(including, options));
  CHECK_FALSE(is_cached(including, options));
}

TEST_CASE("is_cached: in a read-only folder") {
  const Bench bench;
  compile(source, bench.options());
  CompileOptions elsewhere = bench.options();
  elsewhere.caching.dir = bench.scratch / "empty";
  CHECK_FALSE(is_cached(source, elsewhere));
  elsewhere.caching.read_only_dirs = {bench.scratch / "cache"};
  CHECK(is_cached(source, elsewhere));
}

TEST_CASE("is_cached: each architecture of KILN_ARCH") {
  const Bench bench;
  EnvironmentGuard environment({{"KILN_ARCH", "sm_80,sm_90"}, {"KILN_DRIVER", "/no/driver.so"}});
  const CompileOptions options = bench.options().with_arch("");
  compile(source, options.with_arch("sm_80"));
  CHECK_FALSE(is_cached(source, options));
  compile(source, options);
  CHECK(is_cached(source, options));
  CHECK(cache_of(bench).remove(source, options));
  CHECK_FALSE(cache_of(bench).find(source, options));
  environment.set("KILN_ARCH", "sm_90");
  CHECK_FALSE(is_cached(source, options));
}

TEST_CASE("clear and prune: this process's memory forgets what they remove, and nothing else") {
  const Bench bench;
  const Cache cache = cache_of(bench), elsewhere(bench.scratch / "elsewhere");
  const CompileOptions options = bench.options();
  const CompileOptions other = options.with_caching({elsewhere.directory()});
  compile(source, options);
  compile(source, other);
  CHECK(cache.clear() == 1);
  CHECK_FALSE(is_cached(source, options));
  CHECK(is_cached(source, other));
  CHECK_FALSE(compile(source, options).from_cache());

  compile(other_source, options);
  std::uint64_t bytes = cache.stats().bytes;
  CHECK(cache.prune(bytes).entries == 0);
  CHECK(is_cached(source, options));
  CHECK(is_cached(other_source, options));
  while (bytes > 256 && cache.prune(bytes).entries == 0) bytes -= 256;
  CHECK(is_cached(source, options) != is_cached(other_source, options));
  CHECK(cache.prune(0).entries == 1);
  CHECK_FALSE(is_cached(source, options));
  CHECK_FALSE(is_cached(other_source, options));
}

TEST_CASE("an entry by its request: found, read, removed") {
  const Bench bench;
  const Cache cache = cache_of(bench);
  CHECK_FALSE(cache.find(source, bench.options()));
  CHECK_FALSE(cache.read(source, bench.options()));
  CHECK_FALSE(cache.remove(source, bench.options()));
  const CodeObject code = compile(source, bench.options().with_name("one.cu"));
  compile(other_source, bench.options());
  const CompileOptions options = bench.options().with_name("one.cu");
  const CacheStats before = bench.stats();
  const auto entry = cache.find(source, options);
  REQUIRE(entry);
  CHECK(entry->name == "one.cu");
  CHECK(entry->target == "cubin");
  CHECK(entry->arch == "sm_80");
  CHECK(entry->bytes > code.bytes().size());
  CHECK_FALSE(entry->damaged);
  const auto read = cache.read(source, options);
  REQUIRE(read);
  CHECK(read->bytes() == code.bytes());
  CHECK(read->from_cache());
  CHECK_FALSE(cache.find(source, bench.options()));  // the name is part of a request
  CHECK(bench.stats().hits == before.hits);
  CHECK(bench.stats().memory_hits == before.memory_hits);
  CHECK(bench.stats().misses == before.misses);

  CHECK(cache.remove(source, options));
  CHECK_FALSE(cache.remove(source, options));
  CHECK_FALSE(cache.find(source, options));
  CHECK_FALSE(is_cached(source, options));  // nor in memory
  CHECK(bench.stats().entries == 1);
  CHECK(bench.stats().bytes < before.bytes);
  CHECK_FALSE(compile(source, options).from_cache());
  CHECK(cache.find(source, options));
}

TEST_CASE("an entry behind headers, and one of NVVM IR") {
  const Bench bench;
  const Cache cache = cache_of(bench);
  bench.header("value.h", "#define VALUE 1\n");
  const CompileOptions options = bench.options().with_include_dirs({bench.scratch.path()});
  const char* const including = "#include <value.h>\n__global__ void k(int *out) { *out = VALUE; }";
  compile(including, options);
  CHECK(cache.read(including, options));
  CHECK(cache.remove(including, options));
  CHECK_FALSE(compile(including, options).from_cache());
  bench.header("value.h", "#define VALUE 2\n");
  CHECK_FALSE(cache.read(including, options));

  CompileOptions for_ir = bench.options().with_target(Target::ptx);
  for_ir.language = Language::nvvm_ir;
  CHECK_FALSE(cache.find(sine_ir, for_ir));
  CHECK_FALSE(is_cached(sine_ir, for_ir));
  compile(sine_ir, for_ir);
  CHECK(is_cached(sine_ir, for_ir));
  CHECK(cache.read(sine_ir, for_ir));
  CHECK(cache.remove(sine_ir, for_ir));
  CHECK_FALSE(is_cached(sine_ir, for_ir));
}

TEST_CASE("what memory serves is counted, and hits are the folder's alone") {
  const Bench bench;
  REQUIRE(in_new_process([&] {
    for (int i = 0; i < 3; ++i) compile(source, bench.options());
    return bench.stats().misses == 1 && bench.stats().memory_hits == 2 && bench.stats().hits == 0;
  }));
  cache_of(bench).reset_stats();
  for (int i = 0; i < 3; ++i) compile(source, bench.options());
  CHECK(bench.stats().misses == 0);
  CHECK(bench.stats().memory_hits == 2);
  CHECK(bench.stats().hits == 1);
}

TEST_CASE("reset_stats: zeros, and what is there stays") {
  const Bench bench;
  cache_of(bench).reset_stats();  // no folder yet
  CHECK_FALSE(std::filesystem::exists(bench.scratch / "cache"));
  compile(source, bench.options());
  compile(source, bench.options());
  const CacheStats before = bench.stats();
  CHECK(before.memory_hits == 1);
  cache_of(bench).reset_stats();
  const CacheStats after = bench.stats();
  CHECK(after.misses == 0);
  CHECK(after.memory_hits == 0);
  CHECK(after.compiles == 0);
  CHECK(after.entries == before.entries);
  CHECK(after.bytes == before.bytes);
  compile(source, bench.options());
  CHECK(bench.stats().memory_hits == 1);
}

// Run by the next test in a process that ends by itself.
TEST_CASE("child: served by memory at its end" * doctest::skip()) {
  const CompileOptions options = CompileOptions{}.with_arch("sm_80");
  for (int i = 0; i < 4; ++i) compile(source, options);
}

TEST_CASE("a process that exits has written what memory served") {
  const Bench bench;
  const EnvironmentGuard environment({{"KILN_CACHE_DIR", (bench.scratch / "cache").string()}});
  const ProgramResult child = run_program(std::filesystem::read_symlink("/proc/self/exe"),
                                          {"--test-case=child: served by memory at its end", "--no-skip"});
  CAPTURE(child.output);
  CHECK(child.status == 0);
  CHECK(bench.stats().memory_hits == 3);
}

TEST_CASE("memory keeps no more code than KILN_CACHE_MAX_MEMORY allows") {
  const Bench bench;
  EnvironmentGuard environment({{"KILN_CACHE_MAX_MEMORY", "1k"}});  // less than any code has
  const auto hits_of_two = [&] {
    compile(source, bench.options());
    const CacheStats before = bench.stats();
    compile(source, bench.options());
    return std::pair(bench.stats().memory_hits - before.memory_hits, bench.stats().hits - before.hits);
  };
  CHECK(hits_of_two() == std::pair<std::uint64_t, std::uint64_t>(0, 1));
  environment.set("KILN_CACHE_MAX_MEMORY", "0");
  CHECK(hits_of_two() == std::pair<std::uint64_t, std::uint64_t>(1, 0));
}

TEST_CASE("durable: the code is stored, and found by requests that do not ask for it") {
  const Bench bench;
  CompileOptions durable = bench.options();
  durable.caching.durable = true;
  CHECK_FALSE(compile(source, durable).from_cache());
  CHECK(bench.stats().stores == 1);
  CHECK(bench.stats().store_failures == 0);
  CHECK(compile(source, bench.options()).from_cache());
  CHECK(cache_of(bench).read(source, bench.options()));
}

}  // namespace cached_code_test
