// A planted bug of every kind that KILN_EMULATOR_CHECK=race,init claims to find, and programs without one.
#include "check_runs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace checks_test {

using namespace kiln::emulator;

namespace {

// %i: the thread, %s: its word of the shared array, %n: the word of thread i ^ 1, %far: that of thread i ^ 32.
std::string kernel(const std::string& body, const std::string& before = "") {
  return ptx_module(
      before +
      ".shared .align 8 .b64 bar;\n.shared .align 4 .b32 s[64];\n.visible .entry k(.param .u64 p_out)\n{\n"
      ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b64 %out, %x;\n"
      ".reg .b32 %i, %s, %n, %far;\n"
      "mov.u32 %i, %tid.x; ld.param.u64 %out, [p_out]; mul.wide.u32 %x, %i, 4; add.u64 %x, %x, %out;\n"
      "mov.u32 %r1, s; shl.b32 %s, %i, 2; xor.b32 %n, %s, 4; xor.b32 %far, %s, 128; add.u32 %s, %s, %r1;\n"
      "add.u32 %n, %n, %r1; add.u32 %far, %far, %r1; setp.eq.u32 %p1, %i, 0; setp.lt.u32 %p2, %i, 32;\n" +
      body + "\nret; }\n");
}

LaunchOutcome run(const std::string& body, unsigned threads = 64, const std::string& before = "") {
  TestModule module(kernel(body, before));
  Buffer<std::uint32_t> out{std::vector<std::uint32_t>(64)};
  return module.launch("k", {3}, {threads}, out.address());
}

void check_fine(const std::string& body, unsigned threads = 64) { kiln::emulator::check_fine(run(body, threads)); }

// Two blocks of a cluster; %r18 is the rank of the other one, %r17 this thread's word there.
LaunchOutcome run_pair(const std::string& body) {
  TestModule module(
      kernel("mov.u32 %r18, %cluster_ctarank; xor.b32 %r18, %r18, 1; mapa.shared::cluster.u32 %r17, %s, "
             "%r18; barrier.cluster.arrive; barrier.cluster.wait;\n" +
             body + "\nbarrier.cluster.arrive; barrier.cluster.wait;"));
  const Buffer<std::uint32_t> out{std::vector<std::uint32_t>(64)};
  LaunchRequest request = module.made("k", {4}, {64});
  request.cluster = {2};
  TestModule::append(request.params, out.address());
  return run_launch(request);
}

const std::string cleared = "st.shared.u32 [%s], 0; bar.sync 0;\n";
const std::string race = "a race in shared memory";

}  // namespace

TEST_CASE("emulator race check: no barrier between a store and a load of another warp") {
  check_found(run(cleared + "st.shared.u32 [%s], %i;\nld.shared.u32 %r2, [%far]; st.global.u32 [%x], %r2;"),
              {race, "writes 4 bytes", " bytes into the variable s of 256 bytes, which thread ",
               "st.shared.u32 [%s], %i;", " read, with no barrier between", "ld.shared.u32 %r2, [%far];"});
  check_fine("st.shared.u32 [%s], %i; bar.sync 0; ld.shared.u32 %r2, [%far]; st.global.u32 [%x], %r2;");
}

TEST_CASE("emulator race check: two stores, and a store behind a load") {
  check_found(run("st.shared.u32 [s], %i;"), {race, "wrote"});
  check_found(run("st.shared.u32 [%s], %i; bar.sync 0; ld.shared.u32 %r2, [%far]; st.shared.u32 [%s], %r2;"),
              {race, "ld.shared.u32 %r2, [%far];"});
  check_fine(
      "st.shared.u32 [%s], %i; bar.sync 0; ld.shared.u32 %r2, [%far]; bar.sync 0; st.shared.u32 [%s], %r2; bar.sync "
      "0;\n"
      "@%p1 st.shared.u32 [s+4], 1;");
}

TEST_CASE("emulator race check: lanes of a warp need bar.warp.sync or a shuffle between") {
  check_found(run("st.shared.u32 [%s], %i; ld.shared.u32 %r2, [%n]; st.global.u32 [%x], %r2;", 32), {race});
  check_found(run("st.volatile.shared.u32 [%s], %i; ld.volatile.shared.u32 %r2, [%n]; st.global.u32 [%x], %r2;", 32),
              {race});
  check_fine("st.shared.u32 [%s], %i; bar.warp.sync -1; ld.shared.u32 %r2, [%n]; st.global.u32 [%x], %r2;");
  check_fine(
      "st.shared.u32 [%s], %i; shfl.sync.bfly.b32 %r3, %i, 1, 31, -1; ld.shared.u32 %r2, [%n];\n"
      "st.global.u32 [%x], %r2;");
  // It orders the warp, not the block.
  check_found(
      run(cleared + "st.shared.u32 [%s], %i; bar.warp.sync -1; ld.shared.u32 %r2, [%far]; st.global.u32 [%x], %r2;"),
      {race});
}

TEST_CASE("emulator race check: bytes beside each other are no race") {
  check_fine(
      "cvt.u64.u32 %d1, %i; mov.u64 %d2, s; add.u64 %d1, %d1, %d2; st.shared.u8 [%d1], 1; bar.sync 0;\n"
      "ld.shared.u8 %r2, [s+5];");
  check_found(run("cvt.u64.u32 %d1, %i; mov.u64 %d2, s; add.u64 %d1, %d1, %d2; st.shared.u8 [%d1], 1;\n"
                  "@%p1 st.shared.u32 [s], 0;"),
              {race});
}

TEST_CASE("emulator race check: atomics do not race with each other, but with others") {
  check_fine(
      "@%p1 st.shared.u32 [s], 0; bar.sync 0; atom.shared.add.u32 %r2, [s], 1; bar.sync 0; ld.shared.u32 %r2, [s];");
  check_found(run("@%p1 st.shared.u32 [s], 0; bar.sync 0; atom.shared.add.u32 %r2, [s], 1; ld.shared.u32 %r2, [s+0];\n"
                  "@%p1 st.shared.u32 [s], 0;"),
              {race});
}

TEST_CASE("emulator race check: writing the same value is no race, the guess before a compare-and-swap is none") {
  check_fine("st.shared.u32 [s], 7; bar.sync 0; setp.ge.u32 %p3, %i, 5; @%p3 st.shared.v2.u32 [s+8], {%r9, %r9};");
  check_found(run("shr.u32 %r2, %i, 5; st.shared.u8 [s], %r2;"), {race, "wrote"});
  const std::string loop =
      "mov.u32 %r3, %r2;\nL: add.u32 %r4, %r3, 1; atom.shared.cas.b32 %r5, [s], %r3, %r4;\n"
      "setp.ne.u32 %p3, %r5, %r3; mov.u32 %r3, %r5; @%p3 bra L;";
  check_fine(cleared + "ld.shared.u32 %r2, [s];\n" + loop);
  check_found(run(cleared + "ld.shared.u32 %r2, [s]; ld.shared.u32 %r6, [s];\n" + loop), {race, "ld.shared.u32"});
}

TEST_CASE("emulator race check: what comes behind an atomic or a barrier of some is ordered") {
  // A lock of one warp's thread and another's.
  check_fine(
      "and.b32 %r2, %i, 31; setp.ne.u32 %p3, %r2, 0; @%p1 st.shared.u32 [s], 0; @%p1 st.shared.u32 [s+4], 0;\n"
      "bar.sync 0; @%p3 bra DONE;\nTRY: atom.shared.acquire.cta.cas.b32 %r3, [s], 0, 1; setp.ne.u32 %p4, %r3, 0; "
      "@%p4 bra TRY;\nld.shared.u32 %r4, [s+4]; add.u32 %r4, %r4, 1; st.shared.u32 [s+4], %r4;\n"
      "atom.shared.release.cta.exch.b32 %r3, [s], 0;\nDONE:");
  check_fine(
      "@%p1 st.shared.u32 [s], 5; @%p1 st.release.cta.shared.u32 [s+4], 1; @%p2 bra DONE;\n"
      "DONE: bar.sync 1, 64; ld.shared.u32 %r2, [s];");
  check_fine(
      "@%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0; st.shared.u32 [%s], %i;\n"
      "mbarrier.arrive.shared.b64 %d1, [bar];\nWAIT: mbarrier.test_wait.shared.b64 %p3, [bar], %d1; @!%p3 bra WAIT;\n"
      "ld.shared.u32 %r2, [%far]; st.global.u32 [%x], %r2;");
}

TEST_CASE("emulator init check: global memory that neither host nor kernel wrote") {
  const std::uint64_t fresh = AddressSpace::get().allocate(256, Allocation::Kind::device, 0);
  TestModule module(kernel("ld.global.u32 %r2, [%out+8];"));
  TestModule writer(kernel("st.global.u32 [%out+8], 1; ld.global.u32 %r2, [%out+8];"));
  check_found(module.launch("k", {1}, {1}, fresh),
              {"of 256 bytes", "which nothing has written, 8 bytes into the allocation", "ld.global.u32"});
  CHECK(writer.launch("k", {1}, {1}, fresh).result == CUDA_SUCCESS);
  CHECK(module.launch("k", {1}, {1}, fresh).result == CUDA_SUCCESS);
  AddressSpace::get().release(fresh);
  const std::uint64_t filled = AddressSpace::get().allocate(256, Allocation::Kind::device, 0);
  AddressSpace::get().mark_written(filled + 8, 3);
  check_found(module.launch("k", {1}, {1}, filled), {"which nothing has written"});
  AddressSpace::get().mark_written(filled + 11, 1);
  CHECK(module.launch("k", {1}, {1}, filled).result == CUDA_SUCCESS);
  AddressSpace::get().release(filled);
  const std::uint64_t managed = AddressSpace::get().allocate(256, Allocation::Kind::managed, 0);
  CHECK(module.launch("k", {1}, {1}, managed).result == CUDA_SUCCESS);
  AddressSpace::get().release(managed);
}

TEST_CASE("emulator init check: shared memory") {
  check_found(run("@%p1 st.shared.u32 [s], 1; bar.sync 0; ld.shared.u32 %r2, [%s];"),
              {"of shared memory, which nothing has written", " bytes into the variable s of 256 bytes"});
  check_found(run("@%p1 atom.shared.add.u32 %r2, [s], 1;"), {"updates 4 bytes", "which nothing has written"});
}

TEST_CASE("emulator init check: local memory, and the kernel's heap") {
  check_found(run(".local .align 4 .b32 l[4];\nst.local.u32 [l], 1; ld.local.u32 %r2, [l]; ld.local.u32 %r2, [l+4];"),
              {"of local memory, which nothing has written", "[l+4]"});
  check_found(run("{ .param .b64 s; .param .b64 r; st.param.b64 [s], 24; call.uni (r), malloc, (s);\n"
                  "ld.param.b64 %d1, [r]; }\nst.u32 [%d1], 1; ld.u32 %r2, [%d1]; ld.u32 %r2, [%d1+4];",
                  1, ".extern .func (.param .b64 r) malloc(.param .b64 s);\n"),
              {"which nothing has written, 4 bytes into the block of 24 bytes"});
}

TEST_CASE("emulator init check: what a cooperative launch's grid barrier counts in has a value") {
  TestModule module(
      kernel("mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; cvt.u64.u32 %d1, %r1; cvt.u64.u32 %d2, %r2;\n"
             "shl.b64 %d1, %d1, 32; or.b64 %d1, %d1, %d2; atom.add.u32 %r3, [%d1+4], 1;"));
  LaunchRequest request = module.made("k", {2}, {32});
  TestModule::append(request.params, std::uint64_t{0});
  request.cooperative = true;
  const LaunchOutcome outcome = run_launch(request);
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
}

TEST_CASE("emulator init check: shared memory of another block is written, or not") {
  const LaunchOutcome fine = run_pair(
      "st.shared::cluster.u32 [%r17], %i; barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r2, [%s];\n"
      "st.shared.u32 [%s], %r2; ld.shared::cluster.u32 %r2, [%r17];");
  CHECK_MESSAGE(fine.result == CUDA_SUCCESS, fine.report);
  check_found(run_pair("ld.shared::cluster.u32 %r2, [%r17];"),
              {"reads 4 bytes", "which nothing has written", "ld.shared::cluster.u32 %r2, [%r17];"});
}

TEST_CASE("emulator race check: the barrier of a cluster orders, and so do arrivals by way of another block") {
  const LaunchOutcome fine =
      run_pair("st.shared.u32 [%s], %i; barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r2, [%far];");
  CHECK_MESSAGE(fine.result == CUDA_SUCCESS, fine.report);
  check_found(run_pair(cleared + "st.shared.u32 [%s], %i; ld.shared.u32 %r2, [%far];"), {race});
  // The first warp's store, its arrival at the other block, that block's at this one, the second warp's load.
  const LaunchOutcome chain = run_pair(R"(
    setp.ne.u32 %p4, %r18, 1; mov.u32 %r3, bar; mapa.shared::cluster.u32 %r4, %r3, %r18;
    @%p1 mbarrier.init.shared.b64 [bar], 32;
    barrier.cluster.arrive; barrier.cluster.wait;
    @%p4 bra OTHER;
    @!%p2 bra WAIT;
    st.shared.u32 [%s], %i; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4]; bra END;
  WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p5, [bar], 0; @!%p5 bra WAIT;
    ld.shared.u32 %r2, [%far]; bra END;
  OTHER: @!%p2 bra END;
  WAIT2: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p5, [bar], 0; @!%p5 bra WAIT2;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
  END:)");
  CHECK_MESSAGE(chain.result == CUDA_SUCCESS, chain.report);
}

}  // namespace checks_test
