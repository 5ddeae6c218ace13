// What lanes do together. Each lane's operand is its element of `a` (%r1), its number is %r9.
#include "run_ptx.hpp"

#include <algorithm>
#include <cstdint>

namespace warp_wide_test {

using namespace kiln::emulator;

namespace {

using U = std::uint32_t;

std::vector<U> run(const std::string& text, const std::vector<U>& a) {
  CAPTURE(text);
  return run_elementwise<U, U>(
      "ld.global.b32 %r1, [%a]; mov.u32 %r9, %laneid;\n" + text + "\nst.global.b32 [%out], %r5;", a, a);
}

std::vector<U> tens() {
  std::vector<U> values;
  for (U lane = 0; lane < 32; ++lane) values.push_back(10 * lane);
  return values;
}

/// What each lane gets, by f(lane).
template <class F>
std::vector<U> each(F f) {
  std::vector<U> values;
  for (U lane = 0; lane < 32; ++lane) values.push_back(static_cast<U>(f(lane)));
  return values;
}

}  // namespace

TEST_CASE("shfl in all its modes") {
  CHECK(run("shfl.sync.idx.b32 %r5, %r1, 7, 31, -1;", tens()) == each([](U) { return 70; }));
  CHECK(run("shfl.sync.up.b32 %r5, %r1, 3, 0, -1;", tens()) ==
        each([](U lane) { return 10 * (lane < 3 ? lane : lane - 3); }));
  CHECK(run("shfl.sync.down.b32 %r5, %r1, 5, 31, -1;", tens()) ==
        each([](U lane) { return 10 * (lane + 5 > 31 ? lane : lane + 5); }));
  CHECK(run("shfl.sync.bfly.b32 %r5, %r1, 16, 31, -1;", tens()) == each([](U lane) { return 10 * (lane ^ 16); }));
  // The destination is the source, and each lane names another.
  CHECK(run("sub.u32 %r2, 31, %r9; shfl.sync.idx.b32 %r1, %r1, %r2, 31, -1; mov.b32 %r5, %r1;", tens()) ==
        each([](U lane) { return 10 * (31 - lane); }));
}

TEST_CASE("shfl within segments of a width, and its predicate") {
  // What __shfl_*_sync makes of a width of 8: a mask of segments above the clamp.
  const std::string wide = "0x181F", up = "0x1800";
  const std::string end = " selp.u32 %r6, 1000, 0, %p1; add.u32 %r5, %r5, %r6;";
  CHECK(run("shfl.sync.down.b32 %r5|%p1, %r1, 2, " + wide + ", -1;" + end, tens()) == each([](U lane) {
          const bool within = lane % 8 + 2 < 8;
          return within ? 10 * (lane + 2) + 1000 : 10 * lane;
        }));
  CHECK(run("shfl.sync.up.b32 %r5|%p1, %r1, 2, " + up + ", -1;" + end, tens()) == each([](U lane) {
          const bool within = lane % 8 >= 2;
          return within ? 10 * (lane - 2) + 1000 : 10 * lane;
        }));
  CHECK(run("shfl.sync.idx.b32 %r5|%p1, %r1, 11, " + wide + ", -1;" + end, tens()) ==
        each([](U lane) { return 10 * (lane / 8 * 8 + 3) + 1000; }));
  CHECK(run("shfl.sync.bfly.b32 %r5|%p1, %r1, 8, " + wide + ", -1;" + end, tens()) ==
        each([](U lane) { return (lane ^ 8) <= lane / 8 * 8 + 7 ? 10 * (lane ^ 8) + 1000 : 10 * lane; }));
}

TEST_CASE("shfl among some of the lanes") {
  CHECK(run("mov.u32 %r5, 7; setp.lt.u32 %p1, %r9, 16; @%p1 shfl.sync.bfly.b32 %r5, %r1, 1, 31, 0xFFFF;", tens()) ==
        each([](U lane) { return lane < 16 ? 10 * (lane ^ 1) : 7; }));
}

TEST_CASE("both sides of a branch come to a common shuffle") {
  CHECK(
      run("setp.lt.u32 %p1, %r9, 10; @%p1 bra LOW; add.u32 %r1, %r1, 1; bra.uni BOTH; LOW: add.u32 %r1, %r1, 2; BOTH:\n"
          "shfl.sync.idx.b32 %r5, %r1, 31, 31, -1;",
          tens()) == each([](U) { return 311; }));
  // Never at one place: lanes of either side wait for the other's.
  CHECK(run("setp.lt.u32 %p1, %r9, 16; @%p1 bra LOW; vote.sync.ballot.b32 %r5, 1, 0xFFFF0000; bra.uni BOTH;\n"
            "LOW: vote.sync.ballot.b32 %r5, 1, 0x0000FFFF; BOTH:",
            tens()) == each([](U lane) { return lane < 16 ? 0x0000FFFFu : 0xFFFF0000u; }));
}

TEST_CASE("votes") {
  const std::string third = "rem.u32 %r2, %r9, 3; setp.eq.u32 %p1, %r2, 0; setp.lt.u32 %p2, %r9, 99;\n";
  U thirds = 0;
  for (U lane = 0; lane < 32; lane += 3) thirds |= 1u << lane;
  CHECK(run(third + "vote.sync.ballot.b32 %r5, %p1, -1;", tens()) == each([=](U) { return thirds; }));
  CHECK(run(third + "vote.sync.ballot.b32 %r5, !%p1, -1;", tens()) == each([=](U) { return ~thirds; }));
  const auto vote = [&](const std::string& form) {
    return run(third + "vote.sync." + form + ", -1; selp.u32 %r5, 1, 0, %p3;", tens()).at(5);
  };
  CHECK(vote("all.pred %p3, %p1") == 0);
  CHECK(vote("all.pred %p3, %p2") == 1);
  CHECK(vote("any.pred %p3, %p1") == 1);
  CHECK(vote("any.pred %p3, !%p2") == 0);
  CHECK(vote("uni.pred %p3, %p1") == 0);
  CHECK(vote("uni.pred %p3, %p2") == 1);
  CHECK(vote("uni.pred %p3, !%p2") == 1);
}

TEST_CASE("lanes that have exited are not waited for") {
  CHECK(run("mov.u32 %r5, 3; st.global.b32 [%out], %r5; setp.ge.u32 %p1, %r9, 20; @%p1 exit;\n"
            "vote.sync.ballot.b32 %r5, 1, -1;",
            tens()) == each([](U lane) { return lane < 20 ? 0xFFFFFu : 3u; }));
}

TEST_CASE("lanes that match") {
  const std::string fourth = "and.b32 %r1, %r9, 3; cvt.u64.u32 %d1, %r1; shl.b64 %d1, %d1, 40;\n";
  const auto expected = each([](U lane) { return 0x11111111u << (lane % 4); });
  CHECK(run(fourth + "match.any.sync.b32 %r5, %r1, -1;", tens()) == expected);
  CHECK(run(fourth + "match.any.sync.b64 %r5, %d1, -1;", tens()) == expected);
  const std::string end = " selp.u32 %r6, 1, 0, %p1; xor.b32 %r5, %r5, %r6;";
  CHECK(run(fourth + "match.all.sync.b32 %r5|%p1, %r1, -1;" + end, tens()) == each([](U) { return 0; }));
  CHECK(run(fourth + "mov.b64 %d1, 5; match.all.sync.b64 %r5|%p1, %d1, -1;" + end, tens()) ==
        each([](U) { return 0xFFFFFFFEu; }));
}

TEST_CASE("redux") {
  std::vector<U> values;
  for (U lane = 0; lane < 32; ++lane) values.push_back((lane * 0x9E3779B9u) ^ 0x12345u);
  U sum = 0, all = ~0u, any = 0, odd = 0;
  for (const U value : values) sum += value, all &= value, any |= value, odd ^= value;
  std::vector<std::int32_t> numbers(values.begin(), values.end());
  const auto redux = [&](const std::string& form) { return run("redux.sync." + form + " %r5, %r1, -1;", values); };
  CHECK(redux("add.u32") == each([=](U) { return sum; }));
  CHECK(redux("add.s32") == each([=](U) { return sum; }));
  CHECK(redux("and.b32") == each([=](U) { return all; }));
  CHECK(redux("or.b32") == each([=](U) { return any; }));
  CHECK(redux("xor.b32") == each([=](U) { return odd; }));
  CHECK(redux("min.u32").front() == *std::min_element(values.begin(), values.end()));
  CHECK(redux("max.u32").front() == *std::max_element(values.begin(), values.end()));
  CHECK(redux("min.s32").front() == static_cast<U>(*std::min_element(numbers.begin(), numbers.end())));
  CHECK(redux("max.s32").front() == static_cast<U>(*std::max_element(numbers.begin(), numbers.end())));
}

TEST_CASE("activemask and elect") {
  CHECK(run("mov.u32 %r5, 0; setp.gt.u32 %p1, %r9, 3; @%p1 activemask.b32 %r5;", tens()) ==
        each([](U lane) { return lane > 3 ? 0xFFFFFFF0u : 0u; }));
  CHECK(run("mov.u32 %r5, 0; setp.gt.u32 %p1, %r9, 3;\n"
            "@%p1 elect.sync %r5|%p2, 0xFFFFFFF0; selp.u32 %r6, 100, 0, %p2; @%p1 add.u32 %r5, %r5, %r6;",
            tens()) == each([](U lane) { return lane < 4    ? 0
                                                : lane == 4 ? 104
                                                            : 4; }));
}

TEST_CASE("bar.warp.sync orders the lanes of a warp") {
  TestModule module(ptx_module(R"(
    .visible .entry k(.param .u64 out) {
      .reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p<3>; .shared .align 4 .b8 word[4];
      ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;
      setp.ne.u32 %p1, %r1, 31; @%p1 bra JOIN;
      mov.u32 %r2, 99; st.shared.u32 [word], %r2;
      JOIN: bar.warp.sync -1;
      ld.shared.u32 %r3, [word]; st.global.u32 [%d1], %r3; ret; })"));
  Buffer<U> out(std::vector<U>(32));
  const LaunchOutcome outcome = module.launch("k", {}, {32}, out.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(out.values() == each([](U) { return 99; }));
}

}  // namespace warp_wide_test
