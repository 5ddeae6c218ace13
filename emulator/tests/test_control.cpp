#include "emulator/ptx/parse.hpp"
#include "run_ptx.hpp"

#include <doctest/doctest.h>

namespace kiln::emulator::control_test {
namespace {

// out[i] for the threads of `blocks` blocks of `threads`, by a body that leaves it in %r9.
std::vector<std::uint32_t> run(const std::string& body, std::uint32_t threads = 32, std::uint32_t blocks = 1) {
  TestModule module(elementwise(body + "\nst.global.u32 [%out], %r9;", 4));
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(std::size_t{threads} * blocks, 0xFFFFFFFFu));
  const LaunchOutcome outcome = module.launch("k", {blocks}, {threads}, out.address(), out.address(), out.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

}  // namespace

TEST_CASE("lanes that branch apart do what is theirs and meet again") {
  const auto out = run(R"(
    setp.lt.u32 %p1, %i, 10;
    @%p1 bra LOW;
    activemask.b32 %r1;
    bra.uni JOIN;
  LOW:
    activemask.b32 %r1;
  JOIN:
    activemask.b32 %r2;
    popc.b32 %r3, %r1;
    popc.b32 %r4, %r2;
    mad.lo.u32 %r9, %r3, 100, %r4;)");
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i < 10 ? 1032 : 2232));
}

TEST_CASE("lanes that leave a loop at different times meet behind it") {
  const auto out = run(R"(
    mov.u32 %r1, 0;
    mov.u32 %r2, 0;
  LOOP:
    activemask.b32 %r3;
    popc.b32 %r3, %r3;
    add.u32 %r2, %r2, %r3;
    add.u32 %r1, %r1, 1;
    setp.le.u32 %p1, %r1, %i;
    @%p1 bra LOOP;
    activemask.b32 %r4;
    popc.b32 %r4, %r4;
    mad.lo.u32 %r9, %r2, 100, %r4;)");
  for (unsigned i = 0, sum = 0; i < 32; ++i) {
    sum += 32 - i;
    CHECK(out[i] == sum * 100 + 32);
  }
}

TEST_CASE("nested loops and branches meet at each level") {
  const auto out = run(R"(
    mov.u32 %r1, 0;
    mov.u32 %r9, 0;
  OUTER:
    mov.u32 %r2, 0;
  INNER:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, %i;
    @%p1 bra INNER;
    activemask.b32 %r3;
    setp.eq.u32 %p2, %r3, 0xffffffff;
    @%p2 add.u32 %r9, %r9, 1;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 5;
    @%p1 bra OUTER;)");
  CHECK(out == std::vector<std::uint32_t>(32, 5));
}

TEST_CASE("guards, also negated ones, keep lanes from what is not theirs") {
  const auto out = run(R"(
    setp.gt.u32 %p1, %i, 7;
    mov.u32 %r9, 1;
    @%p1 mov.u32 %r9, 2;
    @!%p1 add.u32 %r9, %r9, 10;)");
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i > 7 ? 2 : 11));
}

TEST_CASE("threads that exit leave the others alone") {
  const auto out = run(R"(
    mov.u32 %r9, 4;
    and.b32 %r1, %i, 1;
    setp.eq.u32 %p1, %r1, 1;
    @%p1 exit;
    setp.eq.u32 %p2, %i, 6;
    @%p2 ret;)");
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i % 2 == 1 || i == 6 ? 0xFFFFFFFFu : 4));
}

TEST_CASE("brx.idx branches to a label of a list") {
  const auto out = run(R"(
    and.b32 %r1, %i, 3;
    mov.u32 %r9, 0;
    setp.eq.u32 %p1, %i, 31;
    @%p1 bra END;
    setp.ne.u32 %p2, %i, 30;
  LIST: .branchtargets A, B, C, A;
    @%p2 brx.idx %r1, LIST;
    mov.u32 %r9, 9;
    bra.uni END;
  A: mov.u32 %r9, 1; bra.uni END;
  B: mov.u32 %r9, 2; bra.uni END;
  C: mov.u32 %r9, 3;
  END:)");
  const std::uint32_t expected[] = {1, 2, 3, 1};
  for (unsigned i = 0; i < 30; ++i) CHECK(out[i] == expected[i % 4]);
  CHECK(out[30] == 9);
  CHECK(out[31] == 0);
}

TEST_CASE("a block that is no multiple of a warp has no other threads") {
  const auto out = run("activemask.b32 %r1; popc.b32 %r9, %r1;", 40);
  for (unsigned i = 0; i < 40; ++i) CHECK(out[i] == (i < 32 ? 32 : 8));
}

TEST_CASE("special registers") {
  const auto value = [](const std::string& name) { return run("mov.u32 %r9, %" + name + ";", 64, 2).at(70); };
  CHECK(value("tid.x") == 6);
  CHECK(value("tid.y") == 0);
  CHECK(value("ntid.x") == 64);
  CHECK(value("ctaid.x") == 1);
  CHECK(value("nctaid.x") == 2);
  CHECK(value("laneid") == 6);
  CHECK(value("warpid") == 0);
  CHECK(value("nwarpid") == 2);
  CHECK(value("lanemask_eq") == 0x40);
  CHECK(value("lanemask_lt") == 0x3F);
  CHECK(value("lanemask_le") == 0x7F);
  CHECK(value("lanemask_gt") == 0xFFFFFF80u);
  CHECK(value("lanemask_ge") == 0xFFFFFFC0u);
  CHECK(value("cluster_nctarank") == 1);
  CHECK(value("envreg7") == 0);
  const auto later =
      run("mov.u64 %d1, %clock64; mov.u64 %d2, %clock64; setp.ge.u64 %p1, %d2, %d1; selp.u32 %r9, 1, 0, %p1;");
  CHECK(later[0] == 1);
}

TEST_CASE("threads of three dimensions") {
  const TestModule module(ptx_module(R"(.visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
    mad.lo.u32 %r4, %r3, 4, %r2; mad.lo.u32 %r4, %r4, 8, %r1;
    mul.wide.u32 %d2, %r4, 4; add.u64 %d1, %d1, %d2;
    mul.lo.u32 %r5, %r3, 100; mad.lo.u32 %r5, %r2, 10, %r5; add.u32 %r5, %r5, %r1;
    st.global.u32 [%d1], %r5; ret; })"));
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(64));
  LaunchRequest request = module.made("k", {1}, {8, 4, 2});
  TestModule::append(request.params, out.address());
  CHECK(run_launch(request).result == CUDA_SUCCESS);
  for (unsigned i = 0; i < 64; ++i) CHECK(out.values()[i] == i / 32 * 100 + i / 8 % 4 * 10 + i % 8);
}

TEST_CASE("what ptxas refuses is refused with line and text") {
  const auto message = [](const std::string& body) -> std::string {
    try {
      const TestModule module(elementwise(body, 4));
    } catch (const ptx::ParseError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message("addd.u32 %r1, %r1, 1;").find("Not a name of any known instruction: 'addd'\n    addd.u32") !=
        std::string::npos);
  CHECK(message("add.u32 %r1, %d1, 1;").find("Arguments mismatch for instruction 'add'") != std::string::npos);
  CHECK(message("mov.b32 %r1, 1.5;").find("Arguments mismatch for instruction 'mov'") != std::string::npos);
  CHECK(message("mov.b32 %r1, 0f3F800000;").empty());
}

TEST_CASE("an instruction that the emulator does not do stops only the kernel that comes to it") {
  TestModule module(elementwise("setp.eq.u32 %p1, %i, 5;\n@%p1 multimem.red.relaxed.sys.global.add.u32 [%d1], %i;", 4));
  const LaunchOutcome fine = module.launch("k", {1}, {4}, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0});
  CHECK(fine.result == CUDA_SUCCESS);
  const LaunchOutcome stopped = module.launch("k", {1}, {8}, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0});
  CHECK(stopped.result == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(stopped.report.find("multimem.red") != std::string::npos);
  CHECK(stopped.report.find("thread (5,0,0)") != std::string::npos);
}

}  // namespace kiln::emulator::control_test
