// Whole processes on a device: warm starts, exit, fork, and a kernel that goes astray.
#include "environment_guard.hpp"
#include "gpu_only.hpp"
#include "run_program.hpp"

#include <doctest/doctest.h>

#include <string>

namespace process_test {

namespace {

using kiln::test::EnvironmentGuard;
using kiln::test::ProgramResult;

/// What a module's code is, as module_child tells it.
std::string form() { return kiln::test::on_emulator() ? "ptx" : "cubin"; }

ProgramResult run_child(const std::string& scenario) { return kiln::test::run_program(MODULE_CHILD, {scenario}); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a second process starts from the cache, and the compiler stays out of it") {
  const ProgramResult cold = run_child("start");
  REQUIRE_MESSAGE(cold.status == 0, cold.output);
  CHECK_MESSAGE(contains(cold.output, "compiled " + form()), cold.output);
  CHECK_MESSAGE(contains(cold.output, "libnvrtc is not mapped"), cold.output);
  const EnvironmentGuard no_worker({{"KILN_WORKER", "/nonexistent"}});  // what compiled would do so in the child
  const ProgramResult warm = run_child("start");
  REQUIRE_MESSAGE(warm.status == 0, warm.output);
  CHECK_MESSAGE(contains(warm.output, "from the cache " + form()), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvrtc is not mapped"), warm.output);
}

TEST_CASE("a second process starts a linked module from the cache, and neither compiles nor links") {
  // The emulator links PTX itself.
  const bool by_driver = kiln::test::on_emulator();
  const std::string scenario = by_driver ? "start-linked-alone" : "start-linked";
  const ProgramResult cold = run_child(scenario);
  REQUIRE_MESSAGE(cold.status == 0, cold.output);
  CHECK_MESSAGE(contains(cold.output, "compiled " + form()), cold.output);
  CHECK_MESSAGE(contains(cold.output, "libnvrtc is not mapped"), cold.output);
  CHECK_MESSAGE(contains(cold.output, "libnvJitLink is not mapped"), cold.output);
  const EnvironmentGuard no_worker({{"KILN_WORKER", "/nonexistent"}});  // what compiled would do so in the child
  const ProgramResult warm = run_child(scenario);
  REQUIRE_MESSAGE(warm.status == 0, warm.output);
  CHECK_MESSAGE(contains(warm.output, "from the cache " + form()), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvrtc is not mapped"), warm.output);
  CHECK_MESSAGE(contains(warm.output, "libnvJitLink is not mapped"), warm.output);
}

TEST_CASE("static modules, functions and buffers are safe at exit") {
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
  CHECK_MESSAGE(contains(result.output, "child's own: "), result.output);
  CHECK_MESSAGE(contains(result.output, "parent's: "), result.output);
  CHECK_MESSAGE(contains(result.output, "fork"), result.output);
}

TEST_CASE("a kernel that writes where it must not is reported once, by the driver's name and its own") {
  const ProgramResult result = run_child("illegal-address");
  CHECK_MESSAGE(result.status == 0, result.output);
  CHECK_MESSAGE(contains(result.output, "CUDA_ERROR_ILLEGAL_ADDRESS"), result.output);
  CHECK_MESSAGE(contains(result.output, "(the only kernel launched in this process is poke)"), result.output);
  // The emulator's own report stands before it.
  const std::size_t last = result.output.rfind('\n', result.output.size() - 2) + 1;
  const bool on_emulator = kiln::test::on_emulator();
  CHECK_MESSAGE((last == 0) == !on_emulator, result.output);
  CHECK_MESSAGE(contains(result.output.substr(0, last), "thread (0,0,0): writes 4 bytes") == on_emulator,
                result.output);
}

TEST_CASE("an index that a vector has not ends the kernel") {
  for (const char* scenario : {"index-too-high", "index-below-0"}) {
    const ProgramResult result = run_child(scenario);
    CHECK_MESSAGE(result.status == 0, result.output);
    CHECK_MESSAGE(contains(result.output, "taken"), result.output);
    CHECK_MESSAGE(contains(result.output, "kiln_take"), result.output);
  }
}

TEST_CASE("a sum while the process ends") {
  const ProgramResult result = run_child("sum-at-exit");
  CHECK_MESSAGE(result.status == 0, result.output);
  CHECK_MESSAGE(contains(result.output, "sum 30"), result.output);
  const ProgramResult too_late = run_child("sum-after-the-driver");
  CHECK_MESSAGE(too_late.status == 0, too_late.output);
  CHECK_MESSAGE(contains(too_late.output, "INITIALIZED"), too_late.output);
}

}  // namespace process_test
