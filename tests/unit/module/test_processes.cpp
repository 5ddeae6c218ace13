// Whole processes over the fake driver, and without any.
#include "environment_guard.hpp"
#include "message_of.hpp"
#include "run_program.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/cache.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace processes_test {

using kiln::test::contains;
using kiln::test::EnvironmentGuard;
using kiln::test::ProgramResult;
using kiln::test::ScratchFolder;

namespace {

ProgramResult run_child(const std::string& scenario) { return kiln::test::run_program(MODULE_CHILD, {scenario}); }

}  // namespace

TEST_CASE("static modules and functions are safe at exit, from any thread") {
  for (const char* scenario : {"static", "exit-from-thread"}) {
    const ProgramResult result = run_child(scenario);
    CHECK_MESSAGE(result.status == 0, result.output);
    CHECK(result.output == "launched\n");
  }
}

TEST_CASE("a child of fork compiles, and an error says why it cannot launch") {
  const ProgramResult result = run_child("fork");
  CHECK_MESSAGE(result.status == 0, result.output);
  CHECK_MESSAGE(contains(result.output, "child compiled in_child"), result.output);
  CHECK_MESSAGE(contains(result.output, "child's own: this process was forked"), result.output);
  CHECK_MESSAGE(contains(result.output, "parent's: this process was forked"), result.output);
}

TEST_CASE("a second process starts from the cache, and the compiler stays out of it") {
  const ScratchFolder cache;
  const EnvironmentGuard environment({{"KILN_CACHE_DIR", cache.path().string()}});
  const ProgramResult cold = run_child("start");
  REQUIRE_MESSAGE(cold.status == 0, cold.output);
  CHECK_MESSAGE(contains(cold.output, "compiled cubin"), cold.output);
  CHECK_MESSAGE(contains(cold.output, "libnvrtc is not mapped"), cold.output);
  const EnvironmentGuard no_worker({{"KILN_WORKER", "/nonexistent"}});  // what compiled would do so in the child
  const ProgramResult warm = run_child("start");
  CHECK_MESSAGE(contains(warm.output, "from the cache cubin"), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvrtc is not mapped"), warm.output);
}

TEST_CASE("a second process starts a linked module from the cache, and neither compiles nor links") {
  const ScratchFolder cache;
  const EnvironmentGuard environment({{"KILN_CACHE_DIR", cache.path().string()}});
  const ProgramResult cold = run_child("start-linked");
  REQUIRE_MESSAGE(cold.status == 0, cold.output);
  CHECK_MESSAGE(contains(cold.output, "compiled cubin"), cold.output);
  CHECK_MESSAGE(contains(cold.output, "libnvrtc is not mapped"), cold.output);
  CHECK_MESSAGE(contains(cold.output, "libnvJitLink is not mapped"), cold.output);
  const EnvironmentGuard no_worker({{"KILN_WORKER", "/nonexistent"}});  // what compiled would do so in the child
  const ProgramResult warm = run_child("start-linked");
  CHECK_MESSAGE(contains(warm.output, "from the cache cubin"), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvrtc is not mapped"), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvJitLink is not mapped"), warm.output);
}

TEST_CASE("a warm start of a linked module reads its own entry alone, and makes do without the sources'") {
  const ScratchFolder cache;
  const EnvironmentGuard environment({{"KILN_CACHE_DIR", cache.path().string()}});
  REQUIRE(run_child("start-linked").status == 0);
  const auto entries_of = [&](bool linked) {
    std::vector<std::filesystem::path> files;
    for (const kiln::CacheEntry& entry : kiln::Cache(cache.path()).entries())
      if ((entry.name == "linked") == linked)
        for (const auto& file : std::filesystem::recursive_directory_iterator(cache.path()))
          if (file.path().parent_path().filename().string() + file.path().filename().string() == entry.key + ".code")
            files.push_back(file.path());
    return files;
  };
  const auto linked = entries_of(true), sources = entries_of(false);
  REQUIRE(linked.size() == 1);
  REQUIRE(sources.size() == 2);
  const auto stats = [&] { return kiln::Cache(cache.path()).stats(); };
  const auto start = [] { return run_child("start-linked").output; };

  for (const auto& file : sources) std::ofstream(file) << "damaged";
  CHECK(contains(start(), "from the cache cubin\nlibnvrtc is not mapped\nlibnvJitLink is not mapped\n"));
  CHECK(stats().hits == 1);
  CHECK(stats().corrupt == 0);

  std::filesystem::remove(linked.front());  // so that the sources are needed after all
  CHECK(contains(start(), "compiled cubin"));
  CHECK(stats().corrupt == 2);
  CHECK(stats().compiles == 6);

  for (const auto& file : sources) std::filesystem::remove(file);
  CHECK(contains(start(), "from the cache cubin\nlibnvrtc is not mapped\nlibnvJitLink is not mapped\n"));
  CHECK(stats().compiles == 8);
}

TEST_CASE("a driver that takes PTX only is given PTX") {
  const EnvironmentGuard environment({{"KILN_FAKE_CODE_KINDS", "2"}});
  const ProgramResult result = run_child("start");
  CHECK_MESSAGE(result.status == 0, result.output);
  CHECK_MESSAGE(contains(result.output, " ptx\n"), result.output);
}

TEST_CASE("without a driver everything works up to the first use of a device") {
  const EnvironmentGuard environment({{"KILN_DRIVER", "/nonexistent/libcuda.so.1"}});
  const ProgramResult result = run_child("without-device");
  CHECK_MESSAGE(result.status == 0, result.output);
  CHECK_MESSAGE(contains(result.output, "compiled count(int*)"), result.output);
  CHECK_MESSAGE(contains(result.output, "parameters 1"), result.output);
  CHECK_MESSAGE(contains(result.output, "/nonexistent/libcuda.so.1"), result.output);
}

TEST_CASE("without a device a module is linked for each architecture of KILN_ARCH") {
  const ScratchFolder cache;
  const EnvironmentGuard environment({{"KILN_DRIVER", "/nonexistent/libcuda.so.1"},
                                      {"KILN_CACHE_DIR", cache.path().string()},
                                      {"KILN_ARCH", "sm_80,90"}});
  const ProgramResult result = run_child("link-without-device");
  CHECK(result.output == "linked for sm_80\ncompiles 6\ncompiles 6\n");
  CHECK(result.status == 0);
}

TEST_CASE("for a driver that takes PTX only, sources are compiled to PTX, and its own linker links them") {
  const ScratchFolder cache;
  const EnvironmentGuard environment({{"KILN_FAKE_CODE_KINDS", "2"}, {"KILN_CACHE_DIR", cache.path().string()}});
  const ProgramResult cold = run_child("start-linked-alone");
  CHECK_MESSAGE(contains(cold.output, "compiled ptx\nlibnvrtc is not mapped\nlibnvJitLink is not mapped"), cold.output);
  const ProgramResult warm = run_child("start-linked-alone");
  CHECK_MESSAGE(contains(warm.output, "from the cache ptx\nlibnvrtc is not mapped"), warm.output);
  CHECK(kiln::Cache(cache.path()).stats().compiles == 3);
}

TEST_CASE("what a driver that takes PTX only and one for GPUs made is kept apart") {
  const ScratchFolder cache;
  const EnvironmentGuard environment({{"KILN_CACHE_DIR", cache.path().string()}});
  for (const char* scenario : {"start", "start-linked-alone"}) {
    REQUIRE(run_child(scenario).status == 0);
    const EnvironmentGuard ptx_only({{"KILN_FAKE_CODE_KINDS", "2"}});
    const ProgramResult result = run_child(scenario);
    CHECK_MESSAGE(contains(result.output, "compiled ptx"), result.output);
  }
}

TEST_CASE("for a driver that takes PTX only, the device runtime is left out: it is machine code") {
  const ScratchFolder cache;
  const EnvironmentGuard environment({{"KILN_FAKE_CODE_KINDS", "2"}, {"KILN_CACHE_DIR", cache.path().string()}});
  const ProgramResult result = run_child("start-linked");
  CHECK(result.status == 0);
  CHECK_MESSAGE(contains(result.output, "compiled ptx"), result.output);
}

}  // namespace processes_test
