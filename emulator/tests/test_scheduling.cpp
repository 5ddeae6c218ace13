#include "run_ptx.hpp"

#include <doctest/doctest.h>

namespace kiln::emulator::scheduling_test {
namespace {

// Each thread adds 1 to p[1] while it holds the lock p[0]. The others spin: at a lower place than the holder works.
const std::string locked_count = R"(
.visible .entry count(.param .u64 p) {
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  ld.param.u64 %d1, [p];
SPIN:
  atom.global.cas.b32 %r1, [%d1], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra SPIN;
  ld.volatile.global.u32 %r2, [%d1+4];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%d1+4], %r2;
  membar.gl;
  atom.global.exch.b32 %r3, [%d1], 0;
  ret;
}
)";

void check_count(Dim3 grid, Dim3 block) {
  TestModule module(ptx_module(locked_count));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>{0, 0});
  const LaunchOutcome outcome = module.launch("count", grid, block, memory.address());
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(memory.values() == std::vector<std::uint32_t>{0, static_cast<std::uint32_t>(grid.count() * block.count())});
}

}  // namespace

TEST_CASE("a lock between lanes of a warp is opened") { check_count({1}, {32}); }

TEST_CASE("a lock between warps of a block is opened") { check_count({1}, {256}); }

TEST_CASE("a lock between blocks is opened") { check_count({12}, {32}); }

TEST_CASE("a block waits for one that comes after it") {
  // Blocks wait until the last has set the flag.
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p) {
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  ld.param.u64 %d1, [p]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1;
  setp.eq.u32 %p1, %r1, %r2;
  @%p1 st.volatile.global.u32 [%d1], 1;
SPIN:
  ld.volatile.global.u32 %r3, [%d1];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra SPIN;
  atom.global.add.u32 %r4, [%d1+4], 1;
  ret;
}
)"));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>{0, 0});
  const LaunchOutcome outcome = module.launch("k", {20}, {1}, memory.address());
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(memory.values() == std::vector<std::uint32_t>{1, 20});
}

TEST_CASE("all blocks of a cooperative launch meet") {
  // As cooperative groups do it: a count of arrivals in the workspace whose address is in %envreg1 and %envreg2.
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p) {
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  ld.param.u64 %d1, [p]; mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %d2, {%r2, %r1};
  mov.u32 %r3, %ctaid.x; mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d1, %d3;
  st.volatile.global.u32 [%d3], %r3;
  membar.gl;
  bar.sync 0;
  mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0; @%p1 bra WAIT;
  atom.global.add.u32 %r5, [%d2+4], 1;
  mov.u32 %r6, %nctaid.x;
SPIN:
  ld.volatile.global.u32 %r5, [%d2+4]; setp.lt.u32 %p2, %r5, %r6; @%p2 bra SPIN;
WAIT:
  bar.sync 0;
  sub.u32 %r7, %r6, 1; mov.u32 %r6, %nctaid.x; sub.u32 %r7, %r6, 1; sub.u32 %r7, %r7, %r3;
  mul.wide.u32 %d4, %r7, 4; add.u64 %d4, %d1, %d4; ld.volatile.global.u32 %r8, [%d4];
  mul.wide.u32 %d5, %r6, 4; add.u64 %d5, %d3, %d5; st.global.u32 [%d5], %r8;
  ret;
}
)"));
  constexpr std::uint32_t blocks = 100;  // more than a multiprocessor holds of others
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(2 * blocks));
  LaunchRequest request = module.made("k", {blocks}, {64});
  request.cooperative = true;
  TestModule::append(request.params, memory.address());
  const LaunchOutcome outcome = run_launch(request);
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  const auto out = memory.values();
  for (std::uint32_t i = 0; i < blocks; ++i) CHECK(out[blocks + i] == blocks - 1 - i);
}

TEST_CASE("a barrier of the grid in a launch that is not cooperative says so") {
  const auto report = [](const std::string& body, bool cooperative = false) {
    TestModule module(
        ptx_module(".func abort_() { trap; }\n"
                   ".visible .entry k() { .reg .b32 %r<9>; .reg .pred %p;\n" +
                   body + "\nret; }\n"));
    LaunchRequest request = module.made("k", {2}, {1});
    request.cooperative = cooperative;
    const LaunchOutcome outcome = run_launch(request);
    CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
    return outcome.report;
  };
  const std::string words = "the launch is not cooperative: launch it with LaunchAttributes::cooperative";
  const auto says_so = [&](const std::string& text) { return text.find(words) != std::string::npos; };
  const std::string looks = "mov.u32 %r1, %envreg1; setp.ne.u32 %p, %r1, 0; @%p bra DONE; ";
  for (const char* const stop : {"trap; DONE:", "call abort_; DONE:"}) {
    const std::string text = report(looks + stop);
    CHECK_MESSAGE(says_so(text), text);
  }
  CHECK(!says_so(report("trap;")));
  CHECK(!says_so(report("mov.u32 %r1, %envreg1; trap;", true)));
}

TEST_CASE("lanes that sleep let others run") {
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p) {
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 63; @%p1 bra SET;
SPIN:
  nanosleep.u32 100;
  ld.volatile.global.u32 %r3, [%d1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra SPIN;
  ret;
SET:
  st.volatile.global.u32 [%d1], 1;
  ret;
}
)"));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>{0});
  const LaunchOutcome outcome = module.launch("k", {1}, {64}, memory.address());
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(outcome.thread_instructions < 64 * 2000);  // the sleepers did not use up their slices
}

TEST_CASE("many blocks are each run once") {
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<20>; .reg .b64 %d<20>;
  ld.param.u64 %d1, [p];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
  mad.lo.u32 %r3, %r3, 7, %r2; mad.lo.u32 %r3, %r3, 50, %r1;
  mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2;
  atom.global.add.u32 %r4, [%d1], 1;
  ret;
}
)"));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(50 * 7 * 3));
  const LaunchOutcome outcome = module.launch("k", {50, 7, 3}, {1}, memory.address());
  CHECK(outcome.result == CUDA_SUCCESS);
  CHECK(memory.values() == std::vector<std::uint32_t>(50 * 7 * 3, 1));
  CHECK(outcome.thread_instructions >= 50 * 7 * 3 * 10);
}

}  // namespace kiln::emulator::scheduling_test
