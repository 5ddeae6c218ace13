#include "run_ptx.hpp"

#include <doctest/doctest.h>

namespace kiln::emulator::barriers_test {
namespace {

struct Run {
  LaunchOutcome outcome;
  std::vector<std::uint32_t> out;
};

// %r1 is the thread's number in the block, %d1 its element of the output, %r9 what goes there.
Run run(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1) {
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p) {
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .shared .align 8 .b8 room[4096];
  mov.u32 %r1, %tid.x; mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ntid.x; mad.lo.u32 %r10, %r10, %r11, %r1;
  ld.param.u64 %d1, [p]; mul.wide.u32 %d2, %r10, 4; add.u64 %d1, %d1, %d2;
  mov.u32 %r12, room; shl.b32 %r13, %r1, 2; add.u32 %r13, %r12, %r13; mov.u32 %r9, 0;
)" + body + "\n st.global.u32 [%d1], %r9; ret; }\n"));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(std::size_t{threads} * blocks, 0xFFFFFFFFu));
  LaunchOutcome outcome = module.launch("k", {blocks}, {threads}, memory.address());
  return {std::move(outcome), memory.values()};
}

std::vector<std::uint32_t> values(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1) {
  const Run done = run(body, threads, blocks);
  REQUIRE_MESSAGE(done.outcome.result == CUDA_SUCCESS, done.outcome.report);
  return done.out;
}

}  // namespace

TEST_CASE("after a barrier all see what all wrote before") {
  for (const std::uint32_t threads : {32u, 40u, 1024u}) {
    const auto out = values(
        "st.shared.u32 [%r13], %r1; bar.sync 0; sub.u32 %r2, %r11, 1; sub.u32 %r2, %r2, %r1;"
        "shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r12; ld.shared.u32 %r9, [%r2];",
        threads, 3);
    for (std::uint32_t i = 0; i < 3 * threads; ++i) CHECK(out[i] == threads - 1 - i % threads);
  }
}

TEST_CASE("reductions of predicates over the block") {
  const auto out = values(R"(
    setp.lt.u32 %p1, %r1, 37;
    bar.red.popc.u32 %r2, 0, %p1;
    barrier.cta.red.popc.aligned.u32 %r3, 0, !%p1;
    bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, %p1;
    selp.u32 %r4, 10, 0, %p2; selp.u32 %r5, 1, 0, %p3;
    mad.lo.u32 %r9, %r2, 1000, %r3; mul.lo.u32 %r9, %r9, 100; add.u32 %r9, %r9, %r4; add.u32 %r9, %r9, %r5;)",
                          70);
  CHECK(out == std::vector<std::uint32_t>(70, 3703301));
  const auto all = values("setp.lt.u32 %p1, %r1, 70; bar.red.and.pred %p2, 0, %p1; selp.u32 %r9, 10, 0, %p2;", 70);
  CHECK(all == std::vector<std::uint32_t>(70, 10));
}

TEST_CASE("a producer arrives without waiting, consumers wait for it") {
  const auto out = values(R"(
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra CONSUMER;
    mad.lo.u32 %r2, %r1, 3, 1; st.shared.u32 [%r13], %r2; mov.u32 %r9, 7;
    bar.arrive 5, 64;
    bra.uni END;
  CONSUMER:
    mov.u32 %r3, 5;
    barrier.cta.sync %r3, 64;
    ld.shared.u32 %r9, [%r13+-128];
  END:)",
                          64);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(out[i] == (i < 32 ? 7 : 3 * (i - 32) + 1));
}

TEST_CASE("a barrier of the block does not await threads that exited") {
  const auto out = values("setp.ge.u32 %p1, %r1, 40; @%p1 exit; bar.sync 0; mov.u32 %r9, 1;", 128);
  for (std::uint32_t i = 0; i < 128; ++i) CHECK(out[i] == (i < 40 ? 1 : 0xFFFFFFFFu));
}

TEST_CASE("threads that exit while others wait release them") {
  const auto out = values(R"(
    setp.lt.u32 %p1, %r1, 32; @%p1 bra WAIT;
    mov.u32 %r2, 0;
  LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 20000; @%p2 bra LOOP;
    exit;
  WAIT: bar.sync 0; mov.u32 %r9, 1;)",
                          64);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(out[i] == (i < 32 ? 1 : 0xFFFFFFFFu));
}

TEST_CASE("lanes of one warp may come to a barrier at different times and places") {
  const auto out = values(R"(
    setp.lt.u32 %p1, %r1, 9; @%p1 bra A;
    barrier.sync 0; mov.u32 %r9, 1; bra.uni END;
  A: mov.u32 %r2, 0;
  LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9000; @%p2 bra LOOP;
    barrier.sync 0; mov.u32 %r9, 2;
  END:)",
                          64);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(out[i] == (i < 9 ? 2 : 1));
}

TEST_CASE("a barrier that can never be complete is reported with the places") {
  const Run done = run("setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1; bra.uni END;\nA: bar.sync 2;\nEND:", 96);
  CHECK(done.outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  const std::string& report = done.outcome.report;
  CHECK(report.find("deadlock") != std::string::npos);
  CHECK(report.find("32 threads, the first of them (0,0,0), wait at PTX line") != std::string::npos);
  CHECK(report.find("64 threads, the first of them (32,0,0), wait at PTX line") != std::string::npos);
  CHECK(report.find("bar.sync 1;") != std::string::npos);
  CHECK(report.find("bar.sync 2;") != std::string::npos);
}

TEST_CASE("a barrier's number and count must be right") {
  CHECK(run("mov.u32 %r2, 16; bar.sync %r2;", 32).outcome.report.find("comes to barrier 16") != std::string::npos);
  CHECK(run("mov.u32 %r2, 33; bar.sync 0, %r2;", 32).outcome.result == CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

TEST_CASE("a cluster of one block: arriving and waiting are apart") {
  const auto out = values(R"(
    st.shared.u32 [%r13], %r1;
    barrier.cluster.arrive.release.aligned;
    add.u32 %r3, %r1, 5;
    barrier.cluster.wait.acquire.aligned;
    xor.b32 %r2, %r1, 32; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r12;
    mapa.shared::cluster.u32 %r2, %r2, 0; ld.shared::cluster.u32 %r9, [%r2];
    getctarank.shared::cluster.u32 %r4, %r12; add.u32 %r9, %r9, %r4;
    barrier.cluster.arrive; barrier.cluster.wait;)",
                          64);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(out[i] == (i ^ 32));
}

TEST_CASE("warp-wide instructions wait for their members, which may come by different ways") {
  const auto out = values(R"(
    mov.u32 %r9, 1;
    setp.lt.u32 %p1, %r1, 9; @%p1 bra A;
    bar.warp.sync 0xffffffff; bra.uni END;
  A: mov.u32 %r2, 0;
  LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9000; @%p2 bra LOOP;
    bar.warp.sync 0xffffffff;
  END: vote.sync.ballot.b32 %r9, %p1, 0xffffffff;)",
                          32);
  CHECK(out == std::vector<std::uint32_t>(32, 0x1FF));
}

TEST_CASE("a warp-wide instruction does not await lanes that exited") {
  const auto out = values(
      "setp.eq.u32 %p1, %r1, 3; @%p1 exit; setp.lt.u32 %p2, %r1, 8;"
      "vote.sync.ballot.b32 %r9, %p2, 0xffffffff;",
      32);
  CHECK(out[0] == 0xF7);
  CHECK(out[3] == 0xFFFFFFFFu);
}

TEST_CASE("lanes that name different members are different groups") {
  const auto out = values(R"(
    setp.lt.u32 %p1, %r1, 16; selp.b32 %r2, 0xffff, 0xffff0000, %p1;
    setp.lt.u32 %p2, %r1, 20;
    vote.sync.ballot.b32 %r9, %p2, %r2;)",
                          32);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(out[i] == (i < 16 ? 0xFFFFu : 0xF0000u));
}

TEST_CASE("members that never come are reported") {
  const Run done =
      run("setp.lt.u32 %p1, %r1, 16; @%p1 bra A; vote.sync.any.pred %p3, %p1, 0xffffffff; bra.uni END;\n"
          "A: bar.warp.sync 0xffff0000; \nEND:",
          32);
  CHECK(done.outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(done.outcome.report.find("16 threads, the first of them (16,0,0), wait at") != std::string::npos);
}

}  // namespace kiln::emulator::barriers_test
