// Whole processes on a device: warm starts, exit, fork, and a kernel that goes astray.
#include "environment_guard.hpp"
#include "gpu_only.hpp"
#include "needs.hpp"
#include "run_program.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace process_test {

namespace {

using kiln::test::EnvironmentGuard;
using kiln::test::ProgramResult;

/// What a module's code is, as module_child tells it.
std::string form() { return kiln::test::on_emulator() ? "ptx" : "cubin"; }

ProgramResult run_child(const std::string& scenario) {
  // Under compute-sanitizer 2025.3 a program that a CUDA program starts, and that shows ranges, does not go on behind
  // its first load of code. This variable is by what ranges reach the tool.
  const EnvironmentGuard no_ranges({{"NVTX_INJECTION64_PATH", std::nullopt}});
  return kiln::test::run_program(MODULE_CHILD, {scenario});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The lines of a process's devices where CUDA_VISIBLE_DEVICES is that.
std::string visible(const std::string& list) {
  EnvironmentGuard guard({{"CUDA_VISIBLE_DEVICES", list}});
  const ProgramResult result = run_child("devices");
  CHECK(result.status == 0);
  return result.output;
}

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

TEST_CASE("CUDA_VISIBLE_DEVICES: by index, by UUID, and where the list ends") {
  EnvironmentGuard all({{"CUDA_VISIBLE_DEVICES", std::nullopt}});
  const std::string devices = run_child("devices").output;
  const std::string first = devices.substr(0, devices.find('\n') + 1),
                    uuid = "GPU-" + first.substr(0, first.size() - 1);
  for (const std::string& list : {std::string("0"), std::string("0,-1"), std::string("0,-1,1"), std::string("0,99,0"),
                                  std::string("0,none"), uuid, uuid + ",GPU-none", uuid + ",0"}) {
    CAPTURE(list);
    CHECK(visible(list) == first);
  }
  for (const std::string& list :
       {std::string(), std::string("-1"), std::string("-1,0"), std::string("99"), std::string("none"),
        std::string("GPU-none"), std::string("0,0"), uuid + "," + uuid, std::string("MIG-none"), uuid.substr(4)}) {
    CAPTURE(list);
    CHECK(visible(list).empty());
  }
}

TEST_CASE("CUDA_VISIBLE_DEVICES: two devices in either order" * kiln::test::needs_two_devices()) {
  EnvironmentGuard all({{"CUDA_VISIBLE_DEVICES", "0,1"}});
  const std::string devices = run_child("devices").output;
  const std::size_t end = devices.find('\n') + 1;
  const std::string first = devices.substr(0, end), second = devices.substr(end, devices.find('\n', end) + 1 - end);
  const auto uuid = [](const std::string& line) { return "GPU-" + line.substr(0, line.size() - 1); };
  CHECK(visible("1,0") == second + first);
  CHECK(visible("1") == second);
  CHECK(visible("1,-1,0") == second);
  CHECK(visible(uuid(second) + "," + uuid(first)) == second + first);
  CHECK(visible(uuid(second)) == second);
}

TEST_CASE("where the driver may not compile PTX the error names the variable that says so") {
  if (kiln::test::on_emulator()) return;  // for which it says nothing
  EnvironmentGuard guard({{"CUDA_DISABLE_PTX_JIT", "1"}});
  const ProgramResult result = run_child("ptx");
  CHECK_MESSAGE(contains(result.output, "CUDA_ERROR_JIT_COMPILATION_DISABLED"), result.output);
  CHECK_MESSAGE(contains(result.output, "CUDA_DISABLE_PTX_JIT=1 is set"), result.output);
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
