#include "emulator/core/settings.hpp"
#include "emulator/machine/fault_report.hpp"
#include "run_program.hpp"
#include "run_ptx.hpp"

#include <doctest/doctest.h>

#include <clocale>
#include <filesystem>
#include <limits>
#include <string>

namespace kiln::emulator::faults_test {
namespace {

// Settings of one test.
class Changed {
 public:
  Changed() : before_(Settings::get()) {}
  ~Changed() { Settings::changeable() = before_; }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;
  Settings* operator->() { return &Settings::changeable(); }

 private:
  Settings before_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

LaunchOutcome run(const std::string& text, Dim3 grid, Dim3 block, const char* kernel = "k") {
  TestModule module(ptx_module(text));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(1024));
  return module.launch(kernel, grid, block, memory.address());
}

const std::string trap_with_lines = R"(
.visible .entry _Z5scalePfi(.param .u64 p) {
  .reg .pred %p<2>; .reg .b32 %r<3>;
  .loc 1 3 0
  mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 37;
  .loc 1 2 5, function_name $L__info0, inlined_at 1 4 3
  @%p1 trap;
  ret;
}
  .file 1 "made.cu"
  .section .debug_str { $L__info0: .b8 102,0 }
//kiln-source made.cu
//|// first
//|  __device__ void f() { if (threadIdx.x == 37) __trap(); }
//|__global__ void scale(float* x, int n) {
//|  f();
//|}
)";

const std::string endless = R"(
.visible .entry k(.param .u64 p) {
L: bra L;
}
)";

// Of the threads (%r1) the first 20 have %p1.
std::string part_of_a_kernel(const std::string& body) {
  return ".visible .entry k(.param .u64 p) {\n.reg .pred %p<2>; .reg .b32 %r<3>;\n"
         "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 20;\n" +
         body + "\nEND: ret;\n}\n";
}

const std::string half_a_barrier = R"(
.visible .entry k(.param .u64 p) {
  .reg .pred %p<2>; .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 20;
  @%p1 bra A;
  bar.sync 0; bra END;
A: bar.sync 0;
END: ret;
}
)";

}  // namespace

TEST_CASE("a report names kernel, block, thread, the PTX line and the source line with its text") {
  const LaunchOutcome outcome = run(trap_with_lines, {3}, {64}, "_Z5scalePfi");
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  INFO(outcome.report);
  CHECK(contains(outcome.report, "kernel scale(float*, int), block ("));
  CHECK(contains(outcome.report, "thread (37,0,0): stops the kernel by trap"));
  CHECK(contains(outcome.report, "\n  at PTX line 10 of scale(float*, int): @%p1 trap;"));
  CHECK(contains(outcome.report, "\n    made.cu:2: __device__ void f() { if (threadIdx.x == 37) __trap(); }"));
  CHECK(contains(outcome.report, "\n    inlined at made.cu:4: f();"));

  const std::string message = short_report(outcome.report);
  CHECK(message.find("kernel scale(float*, int), block (") == 0);
  CHECK(
      contains(message, "stops the kernel by trap; the thread is at made.cu:2: __device__ void f() { if (threadIdx.x"));
  CHECK_FALSE(contains(message, "\n"));
}

TEST_CASE("a short report without a source line is the first line, and does not take the launcher's") {
  CHECK(short_report("kernel k: a fault") == "kernel k: a fault");
  CHECK(short_report("kernel k: a fault\n  at PTX line 3 of k: trap;\n  called from PTX line 9 of k: call;") ==
        "kernel k: a fault");
  const std::string launched = "\n  launched by kernel p\n  at PTX line 3 of p: call;\n    p.cu:7: k<<<1, 1>>>();";
  CHECK(short_report("kernel k: a fault" + launched) == "kernel k: a fault");
}

TEST_CASE("a short report of two accesses has the line of each") {
  CHECK(short_report("kernel k: a race; it wrote at PTX line 3 of k: st.u32 [%r1], %r2;\n    k.cu:17: s[i] = i;\n"
                     "  at PTX line 5 of k: ld.u32 %r3, [%r1];\n    k.cu:18: y[i] = s[j];") ==
        "kernel k: a race; it wrote at PTX line 3 of k: st.u32 [%r1], %r2; k.cu:17: s[i] = i; the thread is at "
        "k.cu:18: y[i] = s[j];");
}

TEST_CASE("a fault stops the other blocks") {
  const LaunchOutcome outcome = run(R"(
.visible .entry k(.param .u64 p) {
  .reg .pred %p<2>; .reg .b32 %r<3>;
  mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 trap;
L: bra L;
})",
                                    {8}, {1});
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(contains(outcome.report, "block (1,0,0)"));
}

TEST_CASE("a launch without end is stopped at the time limit, with the places") {
  Changed settings;
  settings->time_limit = 0.05;
  const LaunchOutcome outcome = run(endless, {2}, {64});
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_TIMEOUT);
  CHECK(contains(outcome.report, "KILN_EMULATOR_TIME_LIMIT"));
  CHECK(contains(outcome.report, "64 threads, the first of them (0,0,0), are at PTX line 6 of k: L: bra L;"));
}

TEST_CASE("the report of the time limit says where the loop turns, by how often its lines were executed") {
  Changed settings;
  settings->time_limit = 0.05;
  const LaunchOutcome outcome = run(R"(.visible .entry k(.param .u64 p) {
  .reg .pred %p<2>; .reg .b32 %r<9>;
  mov.u32 %r1, 0; mov.u32 %r2, 7;
L: add.u32 %r1, %r1, 1; xor.b32 %r2, %r2, %r1; xor.b32 %r2, %r2, 5;
  bra L;
})",
                                    {1}, {32});
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_TIMEOUT);
  const std::size_t list = outcome.report.find("what they executed last, by how often:");
  REQUIRE(list != std::string::npos);
  const std::string lines = outcome.report.substr(list);
  CHECK(contains(lines, "75 % PTX line 7 of k: L: add.u32 %r1, %r1, 1; xor.b32"));
  CHECK(contains(lines, "25 % PTX line 8 of k: bra L;"));
  CHECK(!contains(lines, "mov.u32"));
}

TEST_CASE("so is one of many blocks, each of which ends soon") {
  Changed settings;
  settings->time_limit = 0.05;
  const LaunchOutcome outcome = run(".visible .entry k(.param .u64 p) { ret; }", {1'000'000'000}, {1});
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_TIMEOUT);
  CHECK(contains(outcome.report, "KILN_EMULATOR_TIME_LIMIT"));
  CHECK(contains(outcome.report, " of 1000000000 blocks have begun"));
  // The last block may take as long as it likes.
  settings->time_limit = 1e-9;
  CHECK(run(".visible .entry k(.param .u64 p) { ret; }", {1}, {1}).result == CUDA_SUCCESS);
}

TEST_CASE("a limit beyond what the clock counts is none") {
  Changed settings;
  for (const double limit : {1e10, 1e300, std::numeric_limits<double>::infinity()}) {
    settings->time_limit = limit;
    CHECK(run(".visible .entry k(.param .u64 p) { ret; }", {100'000}, {1}).result == CUDA_SUCCESS);
  }
}

TEST_CASE("child: the limit where the locale has a decimal comma" * doctest::skip()) {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) MESSAGE("skipped: no locale de_DE.UTF-8");
  CHECK(Settings::get().time_limit == 0.5);
}

TEST_CASE("a limit has its decimal point in every locale") {
  const kiln::test::ProgramResult child = kiln::test::run_program(
      "/usr/bin/env", {"KILN_EMULATOR_TIME_LIMIT=0.5", std::filesystem::read_symlink("/proc/self/exe").string(),
                       "--test-case=child: the limit where*", "--no-skip"});
  CAPTURE(child.output);
  CHECK(child.status == 0);
  CHECK(child.output.find("test cases: 1 | 1 passed") != std::string::npos);
}

TEST_CASE("a barrier that a part of a warp comes to is a fault where that is checked") {
  CHECK(run(half_a_barrier, {1}, {32}).result == CUDA_SUCCESS);
  Changed settings;
  settings->check_divergence = true;
  const LaunchOutcome outcome = run(half_a_barrier, {1}, {32});
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(contains(outcome.report, "while 12 threads of its warp (such as (20,0,0)) came to it at PTX line"));
  CHECK(contains(outcome.report, "bar.sync 0;"));
  // Others pass it by.
  const LaunchOutcome passed = run(part_of_a_kernel("@%p1 bra A; bar.sync 0; A: add.u32 %r2, %r1, 1;"), {1}, {32});
  CHECK(contains(passed.report, "thread (0,0,0): ends without having come to a barrier"));
}

TEST_CASE("threads that come to a barrier later, or have nothing left to do, do not miss it") {
  Changed settings;
  settings->check_divergence = true;
  CHECK(run(part_of_a_kernel("@%p1 bra END; bar.sync 0; bar.sync 0;"), {1}, {64}).result == CUDA_SUCCESS);
  const LaunchOutcome late = run(part_of_a_kernel("mov.u32 %r2, 0; @!%p1 bra A;\n"
                                                  "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 50000; @%p1 bra L;\n"
                                                  "A: bar.sync 0; bar.sync 0;"),
                                 {1}, {64});
  CHECK_MESSAGE(late.result == CUDA_SUCCESS, late.report);
}

TEST_CASE("a barrier of the block that warps come to at different lines is a fault where that is checked") {
  const auto two_barriers = [](unsigned first, unsigned second, const std::string& operands = "0") {
    return ".visible .entry k(.param .u64 p) {\n.reg .pred %p<2>; .reg .b32 %r<3>;\n"
           "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32;\n@%p1 bra A;\n.loc 1 " +
           std::to_string(first) + " 0\nbar.sync " + operands + "; bra END;\nA:\n.loc 1 " + std::to_string(second) +
           " 0\nbar.sync " + operands +
           ";\nEND: ret;\n}\n.file 1 \"made.cu\"\n//kiln-source made.cu\n//|one();\n//|two();\n//|three();\n";
  };
  CHECK(run(two_barriers(1, 3), {1}, {64}).result == CUDA_SUCCESS);
  Changed settings;
  settings->check_divergence = true;
  const LaunchOutcome outcome = run(two_barriers(1, 3), {1}, {96});
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  INFO(outcome.report);
  CHECK(
      contains(outcome.report, "a barrier that all warps of a block must come to at the same line, while 32 threads"));
  CHECK(contains(outcome.report, "made.cu:1: one();"));
  CHECK(contains(outcome.report, "made.cu:3: three();"));
  CHECK(contains(short_report(outcome.report), "one();"));
  CHECK(contains(short_report(outcome.report), "three();"));
  // A compiler's copies of one barrier, one for a number of threads, and code without lines.
  CHECK(run(two_barriers(2, 2), {1}, {96}).result == CUDA_SUCCESS);
  CHECK(run(two_barriers(1, 3, "1, 64"), {1}, {64}).result == CUDA_SUCCESS);
  CHECK(run(two_barriers(0, 0), {1}, {64}).result == CUDA_SUCCESS);
}

TEST_CASE("the process goes on after a fault") {
  CHECK(run(trap_with_lines, {1}, {64}, "_Z5scalePfi").result == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(run(trap_with_lines, {1}, {32}, "_Z5scalePfi").result == CUDA_SUCCESS);
}

}  // namespace kiln::emulator::faults_test
