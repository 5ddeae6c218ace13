// What is done for all lanes at once must be the same as lane by lane: for every number of active lanes, and for every
// order of their addresses.
#include "run_ptx.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace kiln::emulator::whole_warps_test {
namespace {

// The first `active` lanes run the body, which leaves its result in %r1 (or %f1): 77 before.
std::vector<std::uint32_t> run_for(unsigned active, const std::string& body, const std::string& space = "") {
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p_out, .param .u64 p_a, .param .u32 p_active) {
  .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b64 %d<20>;
  .shared .align 16 .b32 room[64];
  ld.param.u64 %d1, [p_out]; ld.param.u64 %d2, [p_a]; ld.param.u32 %r10, [p_active];
  mov.u32 %r0, %tid.x; mov.u32 %r1, 77;
  mul.wide.u32 %d3, %r0, 4; add.u64 %d1, %d1, %d3;
  mov.u32 %r11, room; shl.b32 %r12, %r0, 2; add.u32 %r13, %r11, %r12;
  add.u64 %d4, %d2, %d3; ld.global.u32 %r14, [%d4]; st.shared.u32 [%r13], %r14; st.shared.u32 [%r13+128], %r14;
  setp.ge.u32 %p1, %r0, %r10;
  @%p1 bra END;
  )" + body + R"(
END:
  st.global.u32 [%d1], %r1;
  ret;
})" + space));
  std::vector<std::uint32_t> values(64);
  std::iota(values.begin(), values.end(), 1000u);
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(32)), a(values);
  const LaunchOutcome outcome = module.launch("k", {1}, {32}, out.address(), a.address(), active);
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

template <class F>
void check_all(const std::string& body, F expected) {
  for (unsigned active = 0; active <= 32; ++active) {
    CAPTURE(active);
    const std::vector<std::uint32_t> found = run_for(active, body);
    for (unsigned lane = 0; lane < 32; ++lane) {
      CAPTURE(lane);
      CHECK(found[lane] == (lane < active ? expected(lane) : 77u));
    }
  }
}

}  // namespace

TEST_CASE("arithmetic leaves the lanes alone that do not take part") {
  check_all("mad.lo.u32 %r1, %r0, 3, 5;", [](unsigned lane) { return lane * 3 + 5; });
  check_all("setp.gt.u32 %p2, %r0, 3; selp.u32 %r1, %r0, 9, %p2;", [](unsigned lane) { return lane > 3 ? lane : 9u; });
  check_all("cvt.u16.u32 %h1, %r0; not.b16 %h1, %h1; cvt.s32.s16 %r1, %h1;", [](unsigned lane) { return ~lane; });
  check_all("cvt.rn.f32.u32 %f1, %r0; fma.rn.f32 %f1, %f1, 0f40000000, 0f3F800000; cvt.rzi.u32.f32 %r1, %f1;",
            [](unsigned lane) { return 2 * lane + 1; });
  check_all("add.u32 %r2, %r0, 1; rem.u32 %r1, 100, %r2;", [](unsigned lane) { return 100 % (lane + 1); });
}

TEST_CASE("loads in the order of the lanes, in another one, and at one place") {
  check_all("ld.global.u32 %r1, [%d4+4];", [](unsigned lane) { return 1001 + lane; });
  check_all("ld.global.u32 %r1, [%d2+8];", [](unsigned) { return 1002u; });
  check_all(
      "mul.wide.u32 %d5, %r0, 8; add.u64 %d5, %d5, %d2; ld.global.v2.u32 {%r2, %r3}, [%d5]; add.u32 %r1, %r2, %r3;",
      [](unsigned lane) { return 2000 + 4 * lane + 1; });
  check_all("ld.global.v2.u32 {%r2, %r3}, [%d2+8]; add.u32 %r1, %r2, %r3;", [](unsigned) { return 2005u; });
  check_all("ld.shared.u32 %r1, [%r13+4];", [](unsigned lane) { return lane == 31 ? 1000 : 1001 + lane; });
  check_all("ld.shared.u32 %r1, [room+12];", [](unsigned) { return 1003u; });
  check_all("ld.shared.u32 %r1, [%r11+12];", [](unsigned) { return 1003u; });
  check_all("sub.u32 %r2, 124, %r12; add.u32 %r2, %r2, %r11; ld.shared.u32 %r1, [%r2];",
            [](unsigned lane) { return 1031 - lane; });
  check_all("add.u32 %r2, %r11, %r0; ld.shared.u8 %r1, [%r2];",
            [](unsigned lane) { return ((1000 + lane / 4) >> (lane % 4 * 8)) & 0xFF; });
}

TEST_CASE("stores and atomics in shared memory") {
  check_all("st.shared.u32 [%r13+128], %r0; ld.shared.u32 %r1, [%r13+128];", [](unsigned lane) { return lane; });
  check_all(
      "xor.b32 %r2, %r12, 124; add.u32 %r2, %r2, %r11; st.shared.u32 [%r2+128], %r0; ld.shared.u32 %r1, [%r2+128];",
      [](unsigned lane) { return lane; });
  check_all("atom.shared.add.u32 %r1, [%r11], 2;", [](unsigned lane) { return 1000 + 2 * lane; });
  check_all("st.shared.u32 [%r11], %r0; atom.shared.add.u32 %r2, [%r13+128], %r0; sub.u32 %r1, %r2, 1000;",
            [](unsigned lane) { return lane; });
}

TEST_CASE("of several lanes that store at one place the last one is seen") {
  for (unsigned active = 1; active <= 32; ++active) {
    CAPTURE(active);
    CHECK(run_for(active, "st.shared.u32 [%r11], %r0; ld.shared.u32 %r1, [%r11];")[0] == active - 1);
    CHECK(run_for(active, "st.global.u32 [%d2], %r0; ld.global.u32 %r1, [%d2];")[0] == active - 1);
  }
}

TEST_CASE("shuffles and votes of some lanes") {
  for (unsigned active = 1; active <= 32; ++active) {
    CAPTURE(active);
    const std::vector<std::uint32_t> down =
        run_for(active, "activemask.b32 %r2; add.u32 %r3, %r0, 100; shfl.sync.down.b32 %r1, %r3, 1, 31, %r2;");
    const std::vector<std::uint32_t> odd = run_for(
        active,
        "activemask.b32 %r2; and.b32 %r3, %r0, 1; setp.ne.u32 %p2, %r3, 0; vote.sync.ballot.b32 %r1, %p2, %r2;");
    const std::vector<std::uint32_t> same =
        run_for(active, "activemask.b32 %r2; and.b32 %r3, %r0, 3; match.any.sync.b32 %r1, %r3, %r2;");
    const std::uint32_t members = active == 32 ? 0xFFFFFFFFu : (1u << active) - 1;
    for (unsigned lane = 0; lane < active; ++lane) {
      CHECK(down[lane] == 100 + (lane + 1 < active ? lane + 1 : lane));
      CHECK(odd[lane] == (0xAAAAAAAAu & members));
      CHECK(same[lane] == ((0x11111111u << lane % 4) & members));
    }
  }
}

TEST_CASE("an address that is invalid in one lane only is reported for that lane") {
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<9>; .reg .b64 %d<9>;
  .shared .align 4 .b32 room[32];
  mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, room; add.u32 %r2, %r2, %r1;
  ld.shared.u32 %r3, [%r2+4];
  ret;
})"));
  const LaunchOutcome outcome = module.launch("k", {1}, {32}, std::uint64_t{0});
  CHECK(outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_MESSAGE(outcome.report.find("(31,0,0)") != std::string::npos, outcome.report);
}

}  // namespace kiln::emulator::whole_warps_test
