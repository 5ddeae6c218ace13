// KILN_EMULATOR_CHECK=race: wgmma without its fence or its wait, and the same kernels with them.
#include "check_runs.hpp"

#include <string>

namespace group_checks_test {

using namespace kiln::emulator;

namespace {

// One warp group. %x0 to %x3 are accumulators, %r4 to %r7 rows of A, %d1 a descriptor of zeros that were written before
// a fence of the proxy.
LaunchOutcome run(const std::string& body, const std::string& fence = "fence.proxy.async;") {
  TestModule module(ptx_module(
      ".visible .entry k(.param .u64 p_out) {\n.shared .align 1024 .b8 room[4096]; .reg .pred %p<4>; "
      ".reg .b32 %t, %r<12>; .reg .f32 %x<12>, %y<4>; .reg .b64 %d<4>, %out;\nmov.u32 %t, %tid.x; mov.u32 %r1, room; "
      "ld.param.u64 %out, [p_out];\nmov.u32 %r2, %t; mov.u32 %r3, 0; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r1;\n"
      "FILL: st.shared.u32 [%r2], 0; add.u32 %r2, %r2, 512; add.u32 %r3, %r3, 512; setp.lt.u32 %p2, %r3, 4096;\n"
      "@%p2 bra FILL; " +
          fence + " bar.sync 0; shr.u32 %r1, %r1, 4; cvt.u64.u32 %d1, %r1;\n" + body + "\nret; }\n",
      "sm_90a"));
  const Buffer<std::uint32_t> out{std::vector<std::uint32_t>(128)};
  return module.launch("k", {1}, {128}, out.address());
}

const std::string wgmma_fence = "wgmma.fence.sync.aligned;\n";
const std::string product =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%x0, %x1, %x2, %x3}, %d1, %d1, 1, 1, 1, 0, 0;\n";
const std::string product_of_registers =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%x0, %x1, %x2, %x3}, {%r4, %r5, %r6, %r7}, %d1, 1, 1, 1, 0;\n";
const std::string wide_product =
    "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7}, %d1, %d1, 1, 1, 1, "
    "0, 0;\n";
const std::string commit = "wgmma.commit_group.sync.aligned;\n", wait = "wgmma.wait_group.sync.aligned 0;\n";
const std::string store = "st.global.f32 [%out], %x1;\n";
const std::string missing_fence = "a missing fence", missing_wait = "a missing wait";

}  // namespace

TEST_CASE("emulator wgmma check: the first product needs a fence") {
  check_fine(run(wgmma_fence + product + commit + wait + store));
  check_found(run(product + commit + wait + store),
              {missing_fence, "comes to wgmma.mma_async with no wgmma.fence before", "wgmma.mma_async.sync.aligned"});
}

TEST_CASE("emulator wgmma check: a fence is behind what writes accumulators and rows of A") {
  check_fine(run("add.f32 %x1, %x1, 0f3F800000;\n" + wgmma_fence + product + commit + wait));
  check_found(
      run(wgmma_fence + "add.f32 %x1, %x1, 0f3F800000;\n" + product + commit + wait),
      {missing_fence, "with %x1, which was written with no wgmma.fence between", "add.f32 %x1, %x1, 0f3F800000;"});
  check_found(run(wgmma_fence + product + commit + wait + "add.f32 %x1, %x1, 0f3F800000;\n" + product + commit + wait),
              {missing_fence, "%x1"});
  check_fine(run("ld.shared.u32 %r5, [room];\n" + wgmma_fence + product_of_registers + commit + wait));
  check_found(run(wgmma_fence + "ld.shared.u32 %r5, [room];\n" + product_of_registers + commit + wait),
              {missing_fence, "with %r5", "ld.shared.u32 %r5, [room];"});
  check_found(run(wgmma_fence + "ld.global.v2.f32 {%x2, %x3}, [%out];\n" + product + commit + wait),
              {missing_fence, "with %x2"});
}

TEST_CASE("emulator wgmma check: products of one shape need no fence between them, those of others do") {
  check_fine(run(wgmma_fence + product + product + commit + product + commit + wait + store));
  check_fine(run(wgmma_fence + product + commit + wait + wgmma_fence + wide_product + commit + wait));
  check_found(run(wgmma_fence + product + commit + wait + wide_product + commit + wait),
              {missing_fence, "with the accumulator %x0 of one of another shape", "m64n8k16"});
}

TEST_CASE("emulator wgmma check: nothing uses registers of a product that is not awaited") {
  check_found(run(wgmma_fence + product + commit + store),
              {missing_wait, "reads %x1, an accumulator of a wgmma.mma_async that no wgmma.wait_group has waited for",
               "st.global.f32 [%out], %x1;", "m64n8k16"});
  check_found(run(wgmma_fence + product + wait + store), {missing_wait, "is in no group (wgmma.commit_group)"});
  check_found(run(wgmma_fence + product + commit + "wgmma.wait_group.sync.aligned 1;\n" + store), {missing_wait});
  check_found(run(wgmma_fence + product + commit + "add.f32 %x2, %x8, %x8;\n" + wait), {missing_wait, "writes %x2"});
  check_found(run(wgmma_fence + product_of_registers + commit + "add.u32 %r6, %t, 1;\n" + wait),
              {missing_wait, "writes %r6, a part of A"});
  check_fine(run(wgmma_fence + product_of_registers + commit + "add.u32 %r8, %r6, 1;\n" + wait));
  check_fine(run(wgmma_fence + product_of_registers + commit + wait + "add.u32 %r6, %t, 1;\n"));
  // An older group is complete, and the latest has other registers.
  const std::string other =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%x8, %x9, %x10, %x11}, %d1, %d1, 1, 1, 1, 0, 0;\n";
  check_fine(
      run(wgmma_fence + product + commit + other + commit + "wgmma.wait_group.sync.aligned 1;\n" + store + wait));
}

// Compilers place them as they like.
TEST_CASE("emulator wgmma check: moves have no effect of their own") {
  check_fine(run(wgmma_fence + "mov.f32 %x1, 0f00000000; mov.f32 %x2, %y2;\n" + product + commit +
                 "mov.f32 %y1, %x1;\n" + wait + "st.global.f32 [%out], %y1;"));
  check_found(run(wgmma_fence + product + commit + "mov.f32 %y1, %x1; st.global.f32 [%out], %y1;\n" + wait),
              {missing_wait, "reads %y1"});
  check_found(run(wgmma_fence + "add.f32 %y1, %y1, 0f3F800000; mov.f32 %x1, %y1;\n" + product + commit + wait),
              {missing_fence, "add.f32 %y1"});
}

TEST_CASE("emulator wgmma check: matrices that are written to shared memory need a fence of the proxy") {
  check_found(run(wgmma_fence + product + commit + wait, ""),
              {missing_fence, "by the asynchronous proxy", "st.shared.u32 [%r2], 0;"});
  check_fine(run("fence.proxy.async;\n" + wgmma_fence + product + commit + wait, ""));
}

}  // namespace group_checks_test
