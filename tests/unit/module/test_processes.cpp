// Whole processes over the fake driver, and without any.
#include "environment_guard.hpp"
#include "message_of.hpp"
#include "run_program.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <string>

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

TEST_CASE("a child of fork compiles, and is told why it cannot launch") {
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
  CHECK_MESSAGE(contains(cold.output, "libnvrtc is mapped"), cold.output);
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
  CHECK_MESSAGE(contains(cold.output, "libnvrtc is mapped"), cold.output);
  CHECK_MESSAGE(contains(cold.output, "libnvJitLink is mapped"), cold.output);
  const ProgramResult warm = run_child("start-linked");
  CHECK_MESSAGE(contains(warm.output, "from the cache cubin"), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvrtc is not mapped"), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvJitLink is not mapped"), warm.output);
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
