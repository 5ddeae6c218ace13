// PTX for Blackwell's families, whose own instructions the emulator does not do: texts that ptxas takes are read, and a
// kernel that comes to such an instruction stops, with its name.
#include "run_ptx.hpp"

#include <string>

namespace ptx_blackwell_test {

using namespace kiln::emulator;

namespace {

std::string kernel_with(const std::string& statement, const std::string& target) {
  return ptx_module(
      ".visible .entry k(.param .u32 p) {\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>; "
      ".reg .b128 %q<3>; .reg .b16 %h<3>;\nld.param.u32 %r0, [p]; setp.eq.u32 %p0, %r0, 0;\n@%p0 bra end;\n" +
          statement + "\nend: ret;\n}\n",
      target);
}

}  // namespace

TEST_CASE("instructions of Blackwell are read, and stop the kernel that comes to them") {
  for (const char* const statement : {
           "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 64;",
           "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;",
           "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
           "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];",
           "tcgen05.ld.sync.aligned.16x256b.x1.pack::16b.b32 {%r1, %r2, %r4, %r5}, [%r3];",
           "tcgen05.st.sync.aligned.16x64b.x1.unpack::16b.b32 [%r3], {%r1};",
           "tcgen05.wait::ld.sync.aligned;",
           "tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%r1], %d1;",
           "tcgen05.cp.cta_group::2.128x256b.b8x16.b6x16_p32 [%r1], %d1;",
           "tcgen05.shift.cta_group::1.down [%r1];",
           "tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, {%r3, %r4, %r5, %r6}, %p1;",
           "tcgen05.mma.cta_group::1.kind::f16 [%r1], [%r7], %d2, %r2, %p1, 3;",
           "tcgen05.mma.sp.cta_group::1.kind::tf32 [%r1], %d1, %d2, [%r8], %r2, %p1;",
           "tcgen05.mma.ws.cta_group::1.kind::i8.collector::b0::fill [%r1], %d1, %d2, %r2, %p1;",
           "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
           "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%d1];",
           "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%d1], %h1;",
           "tcgen05.fence::before_thread_sync;",
           "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r2];",
           "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q1;",
           "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2, %r3, _}, %q1;",
           "multimem.ld_reduce.relaxed.sys.global.add.f32 %f1, [%d1];",
           "redux.sync.min.abs.NaN.f32 %f1, %f2, 0xffffffff;",
       }) {
    CAPTURE(statement);
    TestModule module(kernel_with(statement, "sm_100a"), 100);
    CHECK(module.launch("k", {1}, {32}, std::uint32_t{0}).result == CUDA_SUCCESS);
    const LaunchOutcome stopped = module.launch("k", {1}, {32}, std::uint32_t{1});
    CHECK(stopped.result == CUDA_ERROR_NOT_SUPPORTED);
    const std::string text(statement), opcode = text.substr(0, text.find('.'));
    CHECK_MESSAGE(stopped.report.find(opcode) != std::string::npos, stopped.report);
  }
}

TEST_CASE("code with the features of one architecture or family runs there alone") {
  const auto loads = [](const std::string& target, unsigned sm) {
    try {
      TestModule module(kernel_with("", target), sm);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  CHECK(loads("sm_90a", 90));
  CHECK(!loads("sm_90a", 89));
  CHECK(!loads("sm_90a", 100));
  CHECK(loads("sm_90", 100));
  CHECK(loads("sm_100a", 100));
  CHECK(!loads("sm_100a", 103));
  CHECK(loads("sm_100f", 103));
  CHECK(!loads("sm_100f", 120));
  CHECK(!loads("sm_103f", 100));
  CHECK(loads("sm_120f", 121));
  CHECK(loads("sm_100", 121));
}

}  // namespace ptx_blackwell_test
