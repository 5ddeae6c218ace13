// KILN_EMULATOR_CHECK=race: asynchronous copies that nothing waits for, and the same kernels with the wait.
#include "bulk_runs.hpp"
#include "check_runs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace async_checks_test {

using namespace kiln::emulator;

namespace {

// Threads 0 to 63; %s is the thread's 16 bytes of the shared array, %far those of thread i ^ 32, %in and %out its 16
// bytes of global memory. %p1: the first thread, %p2: the first warp. `bar` awaits as many arrivals as `arrivals` says.
LaunchOutcome run(const std::string& body, unsigned arrivals = 64) {
  TestModule module(ptx_module(
      ".visible .entry k(.param .u64 p_out, .param .u64 p_in)\n{\n.shared .align 128 .b8 s[1024]; "
      ".shared .align 8 .b64 bar;\n.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<9>; .reg .b32 %i, %s, %far;\n"
      ".reg .b64 %x, %in, %out, %all_in, %all_out;\n"
      "mov.u32 %i, %tid.x; mul.wide.u32 %x, %i, 16; ld.param.u64 %all_out, [p_out]; ld.param.u64 %all_in, [p_in];\n"
      "add.u64 %in, %all_in, %x; add.u64 %out, %all_out, %x; mov.u32 %r0, s; shl.b32 %s, %i, 4;\n"
      "xor.b32 %far, %s, 512; add.u32 %s, %s, %r0; add.u32 %far, %far, %r0; setp.eq.u32 %p1, %i, 0;\n"
      "setp.lt.u32 %p2, %i, 32; @%p1 mbarrier.init.shared.b64 [bar], " +
      std::to_string(arrivals) + "; bar.sync 0;\n" + body + "\nret; }\n"));
  const Buffer<std::uint32_t> out{std::vector<std::uint32_t>(256)}, in{counted(256)};
  return module.launch("k", {1}, {64}, out.address(), in.address());
}

const std::string copy = "cp.async.ca.shared.global [%s], [%in], 16;\n";
const std::string load_own = "ld.shared.u32 %r2, [%s]; st.global.u32 [%out], %r2;\n";
const std::string load_far = "ld.shared.u32 %r2, [%far]; st.global.u32 [%out], %r2;\n";
const std::string missing_wait = "a missing wait", race = "a race in shared memory", missing_fence = "a missing fence";

std::string wait(const std::string& parity = "0") {
  return "WAIT" + parity + ": mbarrier.try_wait.parity.shared.b64 %p5, [bar], " + parity + "; @!%p5 bra WAIT" + parity +
         ";\n";
}

// The first thread copies the block's bytes to shared memory.
const std::string bulk_load =
    "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;\n"
    "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%all_in], 1024, [bar];\n";
// And from there.
const std::string bulk_store = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%all_out], [s], 1024;\n";
const std::string fill = "st.shared.v4.u32 [%s], {%i, %i, %i, %i};\n";

}  // namespace

TEST_CASE("emulator race check: a thread reads what its cp.async copies") {
  check_found(run(copy + "cp.async.commit_group;\n" + load_own),
              {missing_wait, "bytes into the variable s of 1024 bytes, which cp.async copies",
               "has not waited for it (cp.async.wait_group", "cp.async.ca.shared.global [%s], [%in], 16;",
               "ld.shared.u32 %r2, [%s];"});
  check_fine(run(copy + "cp.async.commit_group; cp.async.wait_group 0;\n" + load_own));
  check_fine(run(copy + "cp.async.wait_all;\n" + load_own));
  // Without a commit there is no group to wait for.
  check_found(run(copy + "cp.async.wait_group 0;\n" + load_own), {missing_wait});
  check_found(run(copy + "st.shared.u32 [%s], 1; cp.async.wait_all;"), {missing_wait, "writes 4 bytes"});
}

TEST_CASE("emulator race check: other threads need the wait of the one that copies, and a barrier behind it") {
  check_fine(run(copy + "cp.async.wait_all; bar.sync 0;\n" + load_far));
  check_found(run(fill + "bar.sync 0;\n" + copy + "cp.async.wait_all;\n" + load_far), {race});
  check_found(run(copy + "@%p2 cp.async.wait_all; bar.sync 0;\n" + load_far), {missing_wait, "cp.async.ca"});
  check_found(run(copy + "bar.sync 0; cp.async.wait_all;\n" + load_far), {missing_wait});
  // The second warp has waited, and no barrier is behind it.
  check_found(run("@!%p2 cp.async.ca.shared.global [%s], [%in], 16; @!%p2 cp.async.wait_all; @!%p2 bra OVER;\n"
                  "mov.u32 %r4, 0;\nTURN: add.u32 %r4, %r4, 1; setp.lt.u32 %p6, %r4, 20000; @%p6 bra TURN;\n" +
                  load_far + "OVER:"),
              {race, "wrote", "cp.async.ca.shared.global"});
}

TEST_CASE("emulator race check: groups of cp.async, all but the latest of which are awaited") {
  const std::string two = copy + "cp.async.commit_group;\ncp.async.ca.shared.global [%far], [%in], 16;\n";
  const std::string none = "bar.sync 0;\n";
  const std::string one_warp = "@!%p2 bra OVER;\n" + two + "cp.async.commit_group; cp.async.wait_group 1;\n";
  check_fine(run(one_warp + load_own + "OVER:"));
  check_found(run(one_warp + load_far + "OVER:"), {missing_wait, "[%far], [%in], 16;"});
  check_fine(run("@!%p2 bra OVER;\n" + two + "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;\n" +
                 load_far + "OVER:"));
  check_fine(run(copy + "cp.async.commit_group;\n" + none + "cp.async.wait_group 0;\n" + none + load_far));
}

TEST_CASE("emulator race check: cp.async that completes on an mbarrier") {
  const std::string arrive = copy + "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n";
  check_fine(run(arrive + wait() + load_far));
  check_found(run(arrive + load_own), {missing_wait, "cp.async.ca.shared.global"});
  check_fine(run(arrive + "@%p2 bra WAIT0; bra OVER;\n" + wait() + "OVER: bar.sync 0;\n" + load_far));
  // The one that is issued behind the arrival is not part of it.
  check_found(run("cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n" + copy + wait() + load_own), {missing_wait});
  check_fine(run(copy + "cp.async.mbarrier.arrive.shared.b64 [bar]; mbarrier.arrive.shared.b64 %d1, [bar];\n" + wait() +
                 load_far));
}

TEST_CASE("emulator race check: a bulk copy to shared memory, until its phase has been seen") {
  check_fine(run(bulk_load + wait() + load_own, 1));
  check_found(run(bulk_load + "bar.sync 0;\n" + load_own, 1),
              {missing_wait, "which a bulk copy writes, and no thread has seen that its phase of the mbarrier",
               "mbarrier.try_wait", "cp.async.bulk.shared::cluster.global"});
  check_fine(run(bulk_load + "@!%p2 bra OVER;\n" + wait() + "OVER: bar.sync 0;\n" + load_own, 1));
  // The first warp has seen it, and the second one is not behind it.
  check_found(run(bulk_load + "@!%p2 bra OVER;\n" + wait() +
                      "bra END;\nOVER: mov.u32 %r4, 0;\nTURN: add.u32 %r4, %r4, 1; setp.lt.u32 %p6, %r4, 20000; "
                      "@%p6 bra TURN;\n" +
                      load_own + "END:",
                  1),
              {race, "cp.async.bulk"});
  // The second copy needs a wait for the second phase.
  const std::string twice = bulk_load + wait() + load_own + "bar.sync 0;\n" + bulk_load;
  check_fine(run(twice + wait("1") + load_own, 1));
  // Nor is one enough that says "not yet".
  check_found(run(bulk_load + "mbarrier.try_wait.parity.shared.b64 %p5, [bar], 0;\n" + load_own, 2), {missing_wait});
  check_found(run(twice + "bar.sync 0;\n" + load_own, 1), {missing_wait});
}

TEST_CASE("emulator race check: a bulk copy from shared memory, until its thread has waited") {
  const std::string before = fill + "fence.proxy.async.shared::cta; bar.sync 0;\n" + bulk_store;
  const std::string commit = "cp.async.bulk.commit_group;\n", again = "bar.sync 0; st.shared.u32 [%s], 7;";
  check_fine(run(before + commit + "cp.async.bulk.wait_group.read 0;\n" + again));
  check_fine(run(before + commit + "cp.async.bulk.wait_group 0;\n" + again));
  check_fine(run(before + commit + "bar.sync 0;\n" + load_far));
  check_found(run(before + commit + again),
              {missing_wait, "writes 4 bytes", "which a bulk copy reads, and thread (0,0,0) has not waited for it",
               "cp.async.bulk.wait_group.read", "cp.async.bulk.global.shared::cta"});
  check_found(run(before + "cp.async.bulk.wait_group.read 0;\n" + again), {missing_wait});
  check_found(run(before + commit + "cp.async.bulk.wait_group.read 1;\n" + again), {missing_wait});
}

TEST_CASE("emulator race check: what the asynchronous proxy reads was written before a fence of the proxy") {
  const std::string end = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  check_found(run(fill + "bar.sync 0;\n" + bulk_store + end),
              {missing_fence, "by the asynchronous proxy, which thread", "wrote, with no fence.proxy.async between",
               "st.shared.v4.u32 [%s]"});
  check_found(run("fence.proxy.async;\n" + fill + "bar.sync 0;\n" + bulk_store + end), {missing_fence});
  check_fine(run(fill + "fence.proxy.async; bar.sync 0;\n" + bulk_store + end));
  check_fine(run(fill + "bar.sync 0; @%p1 fence.proxy.async;\n" + bulk_store + end));
  // What cp.async or a bulk copy wrote needs none.
  check_fine(run(copy + "cp.async.wait_all; bar.sync 0;\n" + bulk_store + end));
  check_fine(run(bulk_load + wait() + bulk_store + end, 1));
}

TEST_CASE("emulator race check: copies by tensor maps") {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.rank = 1;
  map.sizes = {2048, 1, 1, 1, 1};
  map.box = {64, 1, 1, 1, 1};
  const std::string load =
      "mov.u32 %r7, 0;\ncp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], "
      "[%map, {%r7}], [bar];\n";
  check_fine(run_bulk(load + wait_for(256) + dump_shared(), counted(), {}, &map).outcome);
  check_found(run_bulk(load + dump_shared(), counted(), {}, &map).outcome, {missing_wait, "cp.async.bulk.tensor.1d"});
  const std::string store =
      "mov.u32 %r7, 0;\ncp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%map, {%r7}], [%r0];\n"
      "cp.async.bulk.commit_group;\n";
  check_fine(run_bulk(take_shared() + store + "cp.async.bulk.wait_group.read 0; st.shared.u32 [%r0], 1;", counted(), {},
                      &map, true)
                 .outcome);
  check_found(run_bulk(take_shared() + store + "st.shared.u32 [%r0], 1;", counted(), {}, &map, true).outcome,
              {missing_wait, "cp.async.bulk.tensor.1d.global"});
}

TEST_CASE("emulator race check: a multicast is awaited in each block of the cluster") {
  const auto run_pair = [](const std::string& body) {
    TestModule module(ptx_module(
        ".visible .entry k(.param .u64 p_in)\n{\n.shared .align 128 .b8 s[1024]; .shared .align 8 .b64 bar;\n"
        ".reg .pred %p<9>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %in;\n"
        "ld.param.u64 %in, [p_in]; mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; mov.u16 %h1, 3;\n"
        "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;\n"
        "barrier.cluster.arrive; barrier.cluster.wait;\n"
        "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%in], 1024, "
        "[bar], %h1;\n" +
        body + "ld.shared.u32 %r2, [s+64]; barrier.cluster.arrive; barrier.cluster.wait;\nret; }\n"));
    const Buffer<std::uint32_t> in{counted(256)};
    LaunchRequest request = module.made("k", {2}, {1});
    request.cluster = {2};
    TestModule::append(request.params, in.address());
    return run_launch(request);
  };
  check_fine(run_pair(wait()));
  check_found(run_pair("@!%p1 bra OVER;\n" + wait() + "OVER: barrier.cluster.arrive; barrier.cluster.wait;\n"),
              {missing_wait, "block (1,0,0)", "multicast::cluster"});
}

}  // namespace async_checks_test
