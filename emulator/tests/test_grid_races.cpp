// KILN_EMULATOR_CHECK=race: global memory that several blocks use, with and without what orders them.
#include "check_runs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace grid_races_test {

using namespace kiln::emulator;

namespace {

// %b: the block, %t: its thread, %n: how many blocks; %own: the block's word of the first array, %next: that of the
// next block, %all: the array, and %words behind its 64 words: 64 words that are 0. %p1: the first thread.
std::string kernel(const std::string& body) {
  return ptx_module(
      ".visible .entry k(.param .u64 p_all)\n{\n.shared .align 4 .b32 last;\n"
      ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<9>; .reg .b32 %b, %t, %n, %e;\n"
      ".reg .b64 %all, %words, %own, %next;\n"
      "ld.param.u64 %all, [p_all]; mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x; mov.u32 %n, %nctaid.x;\n"
      "add.u64 %words, %all, 256; mul.wide.u32 %d1, %b, 4; add.u64 %own, %all, %d1; add.u32 %e, %b, 1;\n"
      "rem.u32 %e, %e, %n; mul.wide.u32 %d1, %e, 4; add.u64 %next, %all, %d1; setp.eq.u32 %p1, %t, 0;\n"
      "add.u32 %r1, %b, 100;\n" +
      body + "\nret; }\n");
}

struct Run {
  LaunchOutcome outcome;
  std::vector<std::uint32_t> values;
};

Run run(const std::string& body, std::uint32_t blocks = 4, std::uint32_t threads = 32, std::uint32_t cluster = 1) {
  TestModule module(kernel(body));
  const Buffer<std::uint32_t> all{std::vector<std::uint32_t>(128)};
  LaunchRequest request = module.made("k", {blocks}, {threads});
  request.cluster = {cluster};
  TestModule::append(request.params, all.address());
  const LaunchOutcome outcome = run_launch(request);
  return {outcome, all.values()};
}

const std::string race = "a race in global memory", no_order = "with nothing between that orders the blocks";
const std::string store_own = "@%p1 st.global.u32 [%own], %r1;\n";
const std::string load_next = "@%p1 ld.global.u32 %r2, [%next];\n";

// The last block to come sums what all have written.
std::string last_block(const std::string& fence, const std::string& ticket) {
  return store_own + fence + ticket +
         "setp.eq.u32 %p2, %r3, 3; selp.u32 %r4, 1, 0, %p2; @%p1 st.shared.u32 [last], %r4; bar.sync 0;\n"
         "ld.shared.u32 %r4, [last]; setp.eq.u32 %p3, %r4, 0; @%p3 bra END; @!%p1 bra END;\n"
         "ld.global.u32 %r5, [%all]; ld.global.u32 %r6, [%all+4]; ld.global.u32 %r7, [%all+8]; "
         "ld.global.u32 %r8, [%all+12];\nadd.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; add.u32 %r5, %r5, %r8;\n"
         "st.global.u32 [%words+128], %r5;\nEND:";
}
const std::string take_ticket = "@%p1 atom.global.add.u32 %r3, [%words], 1;\n";

}  // namespace

TEST_CASE("emulator grid race check: neighbours that exchange values with nothing between") {
  check_found(run(store_own + load_next).outcome,
              {race, no_order, "of block (", "bytes into the allocation of 512 bytes", "st.global.u32 [%own], %r1;"});
  // A barrier is one of the block alone.
  check_found(run(store_own + "membar.gl; bar.sync 0;\n" + load_next).outcome, {race, no_order});
  check_fine(run(store_own + "@%p1 ld.global.u32 %r2, [%own];").outcome);
}

TEST_CASE("emulator grid race check: two blocks write one word") {
  check_found(run("@%p1 st.global.u32 [%all], %r1;").outcome, {race, "writes 4 bytes", "wrote"});
  // The same value, bytes beside each other, and atomic operations.
  check_fine(run("@%p1 st.global.u32 [%all], 5;").outcome);
  check_fine(run("cvt.u64.u32 %d1, %b; add.u64 %d1, %d1, %all; @%p1 st.global.u8 [%d1], %r1;").outcome);
  check_fine(run("@%p1 atom.global.add.u32 %r2, [%all], %r1; @%p1 red.global.max.u32 [%all], %r1;").outcome);
  check_fine(run("@%p1 st.volatile.global.u32 [%all], %r1; @%p1 ld.relaxed.gpu.global.u32 %r2, [%all];").outcome);
}

TEST_CASE("emulator grid race check: the last block reads what the others wrote before a fence") {
  const Run fine = run(last_block("membar.gl;\n", take_ticket));
  check_fine(fine.outcome);
  CHECK(fine.values[96] == 406);
  check_fine(run(last_block("fence.acq_rel.gpu;\n", take_ticket)).outcome);
  check_fine(run(last_block("", "@%p1 atom.acq_rel.gpu.global.add.u32 %r3, [%words], 1;\n")).outcome);
  check_found(run(last_block("", take_ticket)).outcome, {race, no_order, "reads 4 bytes", "wrote"});
  check_found(run(last_block("membar.cta;\n", take_ticket)).outcome, {race});
  check_found(run(last_block(take_ticket, "membar.gl;\n")).outcome, {race});
}

TEST_CASE("emulator grid race check: flags, by release and acquire or by volatile accesses and fences") {
  // Each block but the first one waits for the word of the one before, adds to what it wrote, and goes on.
  const auto chain = [](const std::string& wait, const std::string& set) {
    return "@!%p1 bra END; mul.wide.u32 %d1, %b, 4; add.u64 %d2, %words, %d1; setp.eq.u32 %p2, %b, 0;\n"
           "@%p2 bra FIRST;\nWAIT: " +
           wait +
           "setp.eq.u32 %p3, %r2, 0; @%p3 bra WAIT;\nFIRST: ld.global.u32 %r3, [%all]; add.u32 %r3, %r3, 1;\n"
           "st.global.u32 [%all], %r3;\n" +
           set + "END:";
  };
  const Run by_acquire =
      run(chain("ld.acquire.gpu.global.u32 %r2, [%d2-4];\n", "st.release.gpu.global.u32 [%d2], 1;\n"));
  check_fine(by_acquire.outcome);
  CHECK(by_acquire.values[0] == 4);
  check_fine(
      run(chain("ld.volatile.global.u32 %r2, [%d2-4];\n", "membar.gl; st.volatile.global.u32 [%d2], 1;\n")).outcome);
  check_fine(
      run(chain("ld.relaxed.gpu.global.u32 %r2, [%d2-4];\n", "fence.acq_rel.gpu; st.relaxed.gpu.u32 [%d2], 1;\n"))
          .outcome);
  check_found(run(chain("ld.volatile.global.u32 %r2, [%d2-4];\n", "st.volatile.global.u32 [%d2], 1;\n")).outcome,
              {race});
  check_found(run(chain("ld.relaxed.gpu.global.u32 %r2, [%d2-4];\n", "st.relaxed.gpu.global.u32 [%d2], 1;\n")).outcome,
              {race});
}

TEST_CASE("emulator grid race check: a lock, and a barrier of the grid") {
  const auto locked = [](const std::string& before, const std::string& behind) {
    return "@!%p1 bra END;\nTRY: atom.global.cas.b32 %r3, [%words], 0, 1; setp.ne.u32 %p4, %r3, 0; @%p4 bra TRY;\n" +
           before + "ld.global.u32 %r4, [%all]; add.u32 %r4, %r4, 1; st.global.u32 [%all], %r4;\n" + behind +
           "atom.global.exch.b32 %r3, [%words], 0;\nEND:";
  };
  const Run fine = run(locked("membar.gl;\n", "membar.gl;\n"), 8);
  check_fine(fine.outcome);
  CHECK(fine.values[0] == 8);
  check_found(run(locked("", ""), 8).outcome, {race});
  const auto grid_barrier = [](const std::string& fence) {
    return store_own + "bar.sync 0;\n@!%p1 bra OVER;\n" + fence +
           "red.global.add.u32 [%words], 1;\nWAIT: ld.volatile.global.u32 %r2, [%words]; setp.lt.u32 %p3, %r2, %n; "
           "@%p3 bra WAIT;\n" +
           fence + "OVER: bar.sync 0;\n" + load_next;
  };
  check_fine(run(grid_barrier("fence.sc.gpu;\n"), 4, 64).outcome);
  check_found(run(grid_barrier(""), 4, 64).outcome, {race});
}

TEST_CASE("emulator grid race check: threads of one block") {
  const std::string write =
      "mul.wide.u32 %d1, %t, 4; add.u64 %d1, %d1, %all; xor.b32 %r2, %t, 32;\n"
      "mul.wide.u32 %d2, %r2, 4; add.u64 %d2, %d2, %all; st.global.u32 [%d1], %t;\n";
  check_found(run(write + "ld.global.u32 %r3, [%d2];", 1, 64).outcome, {race, "with no barrier between"});
  check_fine(run(write + "bar.sync 0; ld.global.u32 %r3, [%d2];", 1, 64).outcome);
}

TEST_CASE("emulator grid race check: the barrier of a cluster orders its blocks") {
  check_fine(run(store_own + "barrier.cluster.arrive; barrier.cluster.wait;\n" + load_next, 4, 32, 4).outcome);
  check_found(run(store_own + "barrier.cluster.arrive; barrier.cluster.wait;\n" + load_next, 4, 32, 2).outcome, {race});
}

TEST_CASE("emulator grid race check: memory is remembered up to a limit, and within a launch") {
  // The second warp reads what the first one has written, before it wrote to this many pages.
  const auto run_pages = [](std::uint32_t pages) {
    TestModule module(
        kernel("setp.eq.u32 %p2, %t, 32; @%p2 bra OTHER; @!%p1 bra END; st.global.u32 [%all], %r1;\n"
               "mov.u32 %r3, 0; add.u64 %d1, %all, 4096;\nTURN: st.global.u32 [%d1], %r1; "
               "add.u64 %d1, %d1, 4096; add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, " +
               std::to_string(pages) +
               "; @%p3 bra TURN; bra END;\nOTHER: mov.u32 %r3, 0;\n"
               "LATER: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 40000; @%p3 bra LATER;\n"
               "ld.global.u32 %r2, [%all];\nEND:"));
    const Buffer<std::uint32_t> memory{std::vector<std::uint32_t>(3002 * 1024)};
    return module.launch("k", {1}, {64}, memory.address());
  };
  check_found(run_pages(20), {race, "with no barrier between"});
  check_fine(run_pages(3000));
  const Buffer<std::uint32_t> all{std::vector<std::uint32_t>(128)};
  TestModule writer(kernel(store_own)), reader(kernel(load_next));
  check_fine(writer.launch("k", {4}, {32}, all.address()));
  check_fine(reader.launch("k", {4}, {32}, all.address()));
}

}  // namespace grid_races_test
