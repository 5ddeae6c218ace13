#include "emulator/instructions/memory/mbarrier.hpp"

#include "run_ptx.hpp"

#include <cstdint>
#include <vector>

namespace mbarrier_test {

using namespace kiln::emulator;

namespace {

std::string kernel(const std::string& body) {
  return ptx_module(
      ".shared .align 8 .b64 bar;\n.shared .align 4 .b32 data[64];\n.visible .entry k(.param .u64 p_out)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b32 %i; .reg .b64 %out, %o, %x;\n"
      "mov.u32 %i, %tid.x; mul.wide.u32 %x, %i, 4; ld.param.u64 %out, [p_out]; add.u64 %o, %out, %x;\n" +
      body + "\nret; }\n");
}

LaunchOutcome launch(const std::string& body, unsigned threads, std::vector<std::uint32_t>& values) {
  TestModule module(kernel(body));
  Buffer<std::uint32_t> out(values);
  LaunchOutcome outcome = module.launch("k", {1}, {threads}, out.address());
  values = out.values();
  return outcome;
}

std::vector<std::uint32_t> run(const std::string& body, unsigned threads = 1) {
  std::vector<std::uint32_t> values(64);
  const LaunchOutcome outcome = launch(body, threads, values);
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return values;
}

std::string report(const std::string& body) {
  std::vector<std::uint32_t> values(64);
  const LaunchOutcome outcome = launch(body, 1, values);
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  return outcome.report;
}

}  // namespace

TEST_CASE("emulator mbarrier: the object's fields fit in its bits") {
  const BarrierObject object{1048575, 1048574, -1048575, true, true};
  const BarrierObject read = BarrierObject::of(object.bits());
  CHECK(read.expected == object.expected);
  CHECK(read.pending == object.pending);
  CHECK(read.transactions == object.transactions);
  CHECK(read.phase);
  CHECK(read.valid);
}

TEST_CASE("emulator mbarrier: threads of several warps wait for each other, phase after phase") {
  // Each phase: thread i writes, all arrive and wait, thread i reads what its neighbour wrote.
  const std::vector<std::uint32_t> values =
      run("setp.eq.u32 %p1, %i, 0; @%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;\n"
          "mov.u32 %r1, data; shl.b32 %r2, %i, 2; add.u32 %r2, %r1, %r2; xor.b32 %r3, %i, 33; shl.b32 %r3, %r3, 2;\n"
          "add.u32 %r3, %r1, %r3; mov.u32 %r5, 0; mov.u32 %r6, 0;\nLOOP:\n"
          "add.u32 %r4, %i, %r5; st.shared.u32 [%r2], %r4; mbarrier.arrive.shared.b64 %d1, [bar];\n"
          "WAIT: mbarrier.test_wait.shared.b64 %p2, [bar], %d1; @!%p2 bra WAIT;\n"
          "ld.shared.u32 %r7, [%r3]; add.u32 %r6, %r6, %r7; mbarrier.arrive.shared::cta.b64 _, [bar];\n"
          "WAIT2: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 1; @!%p2 bra WAIT2;\n"
          "add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 3; @%p3 bra LOOP;\nst.global.u32 [%o], %r6;",
          64);
  for (unsigned i = 0; i < 64; ++i) CHECK(values[i] == 3 * (i ^ 33u) + 3);
}

TEST_CASE("emulator mbarrier: counts, drops, and the state before") {
  const std::vector<std::uint32_t> values = run(
      "mbarrier.init.shared.b64 [bar], 5; mbarrier.arrive.noComplete.release.cta.shared.b64 %d1, [bar], 2;\n"
      "mbarrier.pending_count.b64 %r1, %d1; st.global.u32 [%out], %r1;\n"
      "mbarrier.arrive_drop.shared.b64 %d2, [bar]; mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%out+4], %r1;\n"
      "mbarrier.test_wait.shared.b64 %p1, [bar], %d1; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%out+8], %r1;\n"
      "mbarrier.arrive.shared.b64 %d3, [bar], 2; mbarrier.test_wait.shared.b64 %p1, [bar], %d1;\n"
      "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%out+12], %r1; mbarrier.arrive.shared.b64 %d4, [bar];\n"
      "mbarrier.pending_count.b64 %r1, %d4; st.global.u32 [%out+16], %r1; mbarrier.inval.shared.b64 [bar];");
  CHECK(values[0] == 5);
  CHECK(values[1] == 3);
  CHECK(values[2] == 0);
  CHECK(values[3] == 1);
  CHECK(values[4] == 4);  // one thread fewer is expected now
}

TEST_CASE("emulator mbarrier: a phase waits for the bytes that are expected") {
  const std::vector<std::uint32_t> values = run(
      "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %d1, [bar], 32;\n"
      "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%out], %r1;\n"
      "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 20; mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n"
      "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%out+4], %r1; mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 12;\n"
      "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%out+8], %r1;\n"
      "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%out+12], %r1;");
  CHECK(std::vector<std::uint32_t>(values.begin(), values.begin() + 4) == std::vector<std::uint32_t>{0, 0, 1, 0});
}

TEST_CASE("emulator mbarrier: copies arrive") {
  const std::vector<std::uint32_t> values =
      run("mbarrier.init.shared.b64 [bar], 2; cp.async.ca.shared.global [data], [%out], 4;\n"
          "cp.async.mbarrier.arrive.shared.b64 [bar]; mbarrier.arrive.shared.b64 %d1, [bar];\n"
          "mbarrier.pending_count.b64 %r1, %d1; st.global.u32 [%out], %r1; cp.async.mbarrier.arrive.noinc.shared.b64 "
          "[bar];\n"
          "mbarrier.test_wait.shared.b64 %p1, [bar], %d1; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%out+4], %r1;");
  CHECK(values[0] == 2);
  CHECK(values[1] == 1);
}

TEST_CASE("emulator mbarrier: wrong uses are told") {
  CHECK(report("mbarrier.arrive.shared.b64 %d1, [bar];").find("was not initialised") != std::string::npos);
  CHECK(report("mov.u32 %r1, 0; mbarrier.init.shared.b64 [bar], %r1;").find("the count of mbarrier is 0") !=
        std::string::npos);
  CHECK(report("mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %d1, [bar], 3;")
            .find("3 arrivals on an mbarrier that awaits 2") != std::string::npos);
  CHECK(report("mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.noComplete.shared.b64 %d1, [bar], 1;")
            .find("noComplete") != std::string::npos);
}

}  // namespace mbarrier_test
