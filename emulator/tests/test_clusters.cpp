// Clusters of several blocks: who is where, shared memory of other blocks, the barrier, and wrong use.
#include "run_ptx.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace clusters_test {

using namespace kiln::emulator;

namespace {

using Words = std::vector<std::uint32_t>;

struct Run {
  LaunchOutcome outcome;
  Words out;
};

struct Shape {
  Dim3 grid, cluster;
  std::uint32_t threads = 32;
};

// %i is the thread's number in its block, %rank and %size are its cluster's, %n is the block's number in the grid and
// %x the thread's element of the output. `word` is shared, and so is the barrier object `bar`.
Run run(const std::string& body, const Shape& shape) {
  TestModule module(ptx_module(R"(
.shared .align 8 .b64 bar;
.shared .align 16 .b32 word[64];
.visible .entry k(.param .u64 p) {
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .f32 %f<9>; .reg .b64 %x; .reg .b32 %i, %n, %rank, %size;
  mov.u32 %i, %tid.x; mov.u32 %rank, %cluster_ctarank; mov.u32 %size, %cluster_nctarank;
  mov.u32 %n, %ctaid.z; mov.u32 %r1, %nctaid.y; mov.u32 %r2, %ctaid.y; mad.lo.u32 %n, %n, %r1, %r2;
  mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %n, %n, %r1, %r2;
  mov.u32 %r1, %ntid.x; mad.lo.u32 %r2, %n, %r1, %i; mul.wide.u32 %x, %r2, 4; ld.param.u64 %d1, [p];
  add.u64 %x, %x, %d1;
)" + body + "\nret; }\n"));
  const std::size_t all = shape.grid.count() * shape.threads;
  const Buffer<std::uint32_t> memory(Words(all, 0xFFFFFFFFu));
  LaunchRequest request = module.made("k", shape.grid, {shape.threads});
  request.cluster = shape.cluster;
  request.explicit_cluster = true;
  TestModule::append(request.params, memory.address());
  LaunchOutcome outcome = run_launch(request);
  return {std::move(outcome), memory.values()};
}

Words values(const std::string& body, const Shape& shape) {
  const Run done = run(body, shape);
  REQUIRE_MESSAGE(done.outcome.result == CUDA_SUCCESS, done.outcome.report);
  return done.out;
}

void check_stops(const Run& done, CUresult result, const std::vector<std::string>& texts) {
  CHECK(done.outcome.result == result);
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK_MESSAGE(done.outcome.report.find(text) != std::string::npos, done.outcome.report);
  }
}

const std::string sync = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n";
// %r3: the rank of the next block.
const std::string next_rank = "add.u32 %r3, %rank, 1; rem.u32 %r3, %r3, %size;\n";

}  // namespace

TEST_CASE("each block knows its place in its cluster") {
  const auto at = [](const std::string& name, std::size_t block) {
    const Shape shape{{4, 6, 2}, {2, 3, 1}};
    return values("mov.u32 %r5, %" + name + "; st.global.u32 [%x], %r5;", shape)[block * 32 + 5];
  };
  const std::size_t block = 1 * 24 + 4 * 4 + 3;  // (3,4,1)
  CHECK(at("cluster_ctaid.x", block) == 1);
  CHECK(at("cluster_ctaid.y", block) == 1);
  CHECK(at("cluster_ctaid.z", block) == 0);
  CHECK(at("clusterid.x", block) == 1);
  CHECK(at("clusterid.y", block) == 1);
  CHECK(at("clusterid.z", block) == 1);
  CHECK(at("nclusterid.x", block) == 2);
  CHECK(at("nclusterid.y", block) == 2);
  CHECK(at("nclusterid.z", block) == 2);
  CHECK(at("cluster_nctaid.x", block) == 2);
  CHECK(at("cluster_nctaid.y", block) == 3);
  CHECK(at("cluster_ctarank", block) == 3);
  CHECK(at("cluster_nctarank", block) == 6);
  const Words explicit_one =
      values("mov.pred %p1, %is_explicit_cluster; selp.u32 %r5, 1, 0, %p1; st.global.u32 [%x], %r5;", {{2}, {2}});
  CHECK(explicit_one[0] == 1);
}

TEST_CASE("blocks write into the shared memory of the next one, and read that of others") {
  for (const std::uint32_t size : {2u, 3u, 8u, 16u}) {
    CAPTURE(size);
    const Words out = values(sync + next_rank + R"(
      mov.u32 %r4, word; shl.b32 %r5, %i, 2; add.u32 %r4, %r4, %r5;
      mapa.shared::cluster.u32 %r6, %r4, %r3;
      mad.lo.u32 %r7, %n, 100, %i; st.shared::cluster.u32 [%r6], %r7;
    )" + sync + "ld.shared.u32 %r8, [%r4]; st.global.u32 [%x], %r8;",
                             {{2 * size}, {size}});
    for (std::uint32_t block = 0; block < 2 * size; ++block) {
      const std::uint32_t first = block / size * size, from = first + (block - first + size - 1) % size;
      for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(out[block * 32 + i] == from * 100 + i);
    }
  }
}

TEST_CASE("generic addresses reach other blocks, and say whose they are") {
  const Words out = values(next_rank + R"(
    mov.u64 %d2, word; cvta.shared.u64 %d2, %d2; mapa.u64 %d3, %d2, %r3;
    setp.eq.u32 %p1, %i, 0; @%p1 st.u32 [%d3], %n;
  )" + sync + R"(
    ld.shared.u32 %r4, [word]; getctarank.u64 %r5, %d3; getctarank.u64 %r6, %d2;
    isspacep.shared::cluster %p2, %d3; isspacep.shared::cta %p3, %d3; isspacep.shared %p4, %d2;
    mapa.u64 %d4, %d2, %rank; isspacep.shared::cta %p5, %d4; isspacep.global %p6, %d3;
    selp.u32 %r7, 1, 0, %p2; selp.u32 %r8, 2, 0, %p3; selp.u32 %r9, 4, 0, %p4; selp.u32 %r10, 8, 0, %p5;
    selp.u32 %r11, 16, 0, %p6;
    add.u32 %r7, %r7, %r8; add.u32 %r7, %r7, %r9; add.u32 %r7, %r7, %r10; add.u32 %r7, %r7, %r11;
    ld.u32 %r12, [%d4]; sub.u32 %r12, %r12, %r4; add.u32 %r7, %r7, %r12;
    mad.lo.u32 %r4, %r4, 10, %r5; mad.lo.u32 %r4, %r4, 10, %r6; mad.lo.u32 %r4, %r4, 100, %r7;
    st.global.u32 [%x], %r4;
  )",
                           {{2}, {2}});
  CHECK(out[0] == ((1 * 10 + 1) * 10 + 0) * 100 + 13);
  CHECK(out[32] == ((0 * 10 + 0) * 10 + 1) * 100 + 13);
}

TEST_CASE("atomic operations on another block's shared memory") {
  const Words out = values(R"(
    setp.eq.u32 %p1, %i, 0; @%p1 st.shared.u32 [word], 0; @%p1 st.shared.f32 [word+4], 0f00000000;
  )" + sync + R"(
    mov.u32 %r4, word; mov.u32 %r5, 0; mapa.shared::cluster.u32 %r6, %r4, %r5;
    atom.shared::cluster.add.u32 %r7, [%r6], 1;
    red.relaxed.cluster.shared::cluster.max.u32 [%r6+8], %n;
    mov.f32 %f1, 0f00000001; red.shared::cluster.add.f32 [%r6+4], %f1;
  )" + sync + "ld.shared.u32 %r8, [word]; @%p1 ld.shared.u32 %r8, [word+4]; st.global.u32 [%x], %r8;",
                           {{4}, {4}});
  CHECK(out[1] == 4 * 32);
  CHECK(out[0] == 4 * 32);  // subnormal numbers are not flushed in shared memory
  CHECK(out[33] == 0);
}

TEST_CASE("arrivals at the mbarrier of another block release who waits there") {
  const Words out = values(R"(
    setp.eq.u32 %p1, %i, 0; mul.lo.u32 %r4, %size, 32; @%p1 mbarrier.init.shared.b64 [bar], %r4;
    fence.mbarrier_init.release.cluster;
  )" + sync + R"(
    mov.u32 %r5, bar; mov.u32 %r9, 0;
  EACH: mapa.shared::cluster.u32 %r6, %r5, %r9;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];
    add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, %size; @%p2 bra EACH;
  WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0; @!%p3 bra WAIT;
    st.global.u32 [%x], %rank;
  )" + sync,
                           {{3}, {3}});
  for (std::uint32_t i = 0; i < 96; ++i) CHECK(out[i] == i / 32);
}

TEST_CASE("st.async and red.async store, and complete the transaction of the barrier there") {
  const Words out = values(R"(
    setp.eq.u32 %p1, %i, 0;
    @%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 st.shared.u32 [word+252], 5;
    fence.mbarrier_init.release.cluster;
    @%p1 mbarrier.arrive.expect_tx.release.cta.shared.b64 _, [bar], 368;
  )" + sync + next_rank + R"(
    mov.u32 %r4, word; mapa.shared::cluster.u32 %r5, %r4, %r3; mov.u32 %r6, bar; mapa.shared::cluster.u32 %r7, %r6, %r3;
    shl.b32 %r8, %i, 2; add.u32 %r9, %r5, %r8; mad.lo.u32 %r10, %n, 100, %i;
    st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r9], %r10, [%r7];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r5+252], 1, [%r7];
    setp.lt.u32 %p4, %i, 7; shl.b32 %r8, %i, 4; add.u32 %r9, %r5, %r8; mov.u32 %r11, 0;
    @%p4 st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%r9+128], {%r10, %r11, %r11, %i}, [%r7];
  WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0; @!%p3 bra WAIT;
    shl.b32 %r8, %i, 2; add.u32 %r9, %r4, %r8; ld.shared.u32 %r12, [%r9];
    setp.eq.u32 %p5, %i, 30; @%p5 ld.shared.u32 %r12, [word+252];
    setp.eq.u32 %p5, %i, 31; @%p5 ld.shared.u32 %r12, [word+236];
    st.global.u32 [%x], %r12;
  )" + sync,
                           {{2}, {2}});
  for (std::uint32_t block = 0; block < 2; ++block) {
    for (std::uint32_t i = 0; i < 30; ++i) CHECK(out[block * 32 + i] == (1 - block) * 100 + i);
    CHECK(out[block * 32 + 30] == 5 + 32);
    CHECK(out[block * 32 + 31] == 6);
  }
}

TEST_CASE("the barrier of a cluster awaits the threads of all blocks, but none that exited") {
  // The last block takes long before it arrives; one warp of the first has gone.
  const Words out = values(R"(
    setp.ge.u32 %p1, %i, 32; setp.eq.u32 %p2, %rank, 0; and.pred %p1, %p1, %p2; @%p1 exit;
    setp.eq.u32 %p2, %rank, 2; mov.u32 %r4, 0; @!%p2 bra ARRIVE;
  LOOP: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 9000; @%p3 bra LOOP;
    setp.ne.u32 %p4, %i, 0; @%p4 bra ARRIVE;
    mov.u32 %r5, word; mov.u32 %r6, 0; mapa.shared::cluster.u32 %r5, %r5, %r6; st.shared::cluster.u32 [%r5], 77;
  ARRIVE: barrier.cluster.arrive; barrier.cluster.wait;
    ld.shared.u32 %r7, [word]; st.global.u32 [%x], %r7;
  )",
                           {{3}, {3}, 64});
  CHECK(out[0] == 77);
  CHECK(out[32] == 0xFFFFFFFFu);
  CHECK(out[64] == 0);
}

TEST_CASE("a block that exits releases those that wait at the barrier of the cluster") {
  const Words out = values(R"(
    setp.eq.u32 %p1, %rank, 1; @!%p1 bra WAIT;
    mov.u32 %r4, 0;
  LOOP: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 9000; @%p3 bra LOOP;
    exit;
  WAIT: barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%x], %rank;
  )",
                           {{4}, {2}});
  CHECK(out[0] == 0);
  CHECK(out[32] == 0xFFFFFFFFu);
  CHECK(out[64] == 0);
}

TEST_CASE("clusters run beside each other, and again in the same memory") {
  const Words out = values(sync + next_rank + R"(
    mov.u32 %r4, word; mapa.shared::cluster.u32 %r6, %r4, %r3; atom.shared::cluster.add.u32 %r5, [%r6], 1;
  )" + sync + "ld.shared.u32 %r8, [word]; st.global.u32 [%x], %r8;",
                           {{64, 2, 2}, {2, 2, 1}});
  CHECK(out == Words(64 * 4 * 32, 32));
}

TEST_CASE("the shared memory of a block that has exited is gone") {
  const Run done = run(R"(
    setp.eq.u32 %p1, %rank, 1; @%p1 exit;
    mov.u32 %r4, 0;
  LOOP: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 9000; @%p3 bra LOOP;
    mov.u32 %r5, word; mov.u32 %r6, 1; mapa.shared::cluster.u32 %r5, %r5, %r6; ld.shared::cluster.u32 %r7, [%r5];
  )",
                       {{2}, {2}});
  check_stops(done, CUDA_ERROR_ILLEGAL_ADDRESS,
              {"thread (0,0,0): reads 4 bytes", "of the block with rank 1, (1,0,0), which has exited",
               "ld.shared::cluster.u32 %r7, [%r5];"});
}

TEST_CASE("addresses of no block, beyond the end and of the wrong window are reported") {
  const auto with_rank = [](const std::string& rank, const std::string& access) {
    return run("mov.u32 %r5, word; mov.u32 %r6, " + rank + "; mapa.shared::cluster.u32 %r5, %r5, %r6; " + access + sync,
               {{2}, {2}});
  };
  check_stops(with_rank("2", "ld.shared::cluster.u32 %r7, [%r5];"), CUDA_ERROR_ILLEGAL_ADDRESS,
              {"of the block with rank 2 in the cluster, which has 2 blocks"});
  check_stops(with_rank("1000", "st.shared::cluster.u32 [%r5], 1;"), CUDA_ERROR_ILLEGAL_ADDRESS,
              {"which has 2 blocks"});
  check_stops(with_rank("1", "st.shared::cluster.u32 [%r5+4096], 1;"), CUDA_ERROR_ILLEGAL_ADDRESS,
              {"of the block with rank 1, (1,0,0), 3840 bytes past the end of its 256 bytes"});
  check_stops(with_rank("1", "st.shared::cluster.u32 [%r5+1], 1;"), CUDA_ERROR_MISALIGNED_ADDRESS, {});
  check_stops(with_rank("1", "ld.shared.u32 %r7, [%r5];"), CUDA_ERROR_ILLEGAL_ADDRESS, {"needs .shared::cluster"});
  check_stops(run("mapa.u64 %d2, %x, 0;", {{2}, {2}}), CUDA_ERROR_ILLEGAL_ADDRESS, {"is not of shared memory"});
}

TEST_CASE("a barrier of the cluster that some pass by is a deadlock, whose report has all blocks") {
  const Run done = run(R"(
    setp.eq.u32 %p1, %rank, 1; @%p1 bra OTHER;
    barrier.cluster.arrive; barrier.cluster.wait; bra END;
  OTHER: setp.lt.u32 %p2, %i, 16; @%p2 bra LESS; barrier.sync 1; bra END;
  LESS: barrier.sync 2;
  END:)",
                       {{2}, {2}});
  check_stops(done, CUDA_ERROR_LAUNCH_FAILED,
              {"a deadlock, the threads of its cluster wait for each other", "in block (0,0,0), rank 0 of its cluster:",
               "32 threads, the first of them (0,0,0), wait at PTX line", "barrier.cluster.wait;",
               "in block (1,0,0), rank 1 of its cluster:", "16 threads, the first of them (16,0,0), wait at PTX line",
               "barrier.sync 2;"});
}

TEST_CASE("arriving twice at the barrier of the cluster is reported") {
  check_stops(run("barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;", {{2}, {2}}),
              CUDA_ERROR_LAUNCH_FAILED, {"arrives at the barrier of its cluster again"});
}

}  // namespace clusters_test
