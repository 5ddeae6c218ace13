#include "run_ptx.hpp"

#include <doctest/doctest.h>

namespace kiln::emulator::register_places_test {
namespace {

std::vector<std::uint32_t> run(const std::string& body, unsigned blocks, unsigned threads) {
  TestModule module(ptx_module(R"(
.visible .entry k(.param .u64 p_out) {
  .reg .pred %p<9>; .reg .b32 %r<80>; .reg .b64 %d<20>;
  ld.param.u64 %d1, [p_out];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
  mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2;
  )" + body + R"(
  st.global.u32 [%d1], %r70;
  ret;
})"));
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(std::size_t{blocks} * threads));
  const LaunchOutcome outcome = module.launch("k", {blocks}, {threads}, out.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

std::uint32_t register_bytes(const std::string& body) {
  TestModule module(ptx_module(".visible .entry k() { .reg .b32 %r<999>;\n" + body + "ret; }"));
  return module.image().kernel("k")->code->register_bytes;
}

}  // namespace

TEST_CASE("registers that are read before they are written are zero, in every block") {
  // Only block 0 writes %r10, by a guard or behind a jump.
  const auto guarded = run("setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r10, 7; add.u32 %r70, %r10, 1;", 70, 32);
  const auto jumped =
      run("setp.ne.u32 %p1, %r1, 0; @%p1 bra SKIP; mov.u32 %r10, 7;\nSKIP:\nadd.u32 %r70, %r10, 1;", 70, 32);
  for (const auto& values : {guarded, jumped})
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == (i < 32 ? 8u : 1u));
}

TEST_CASE("a register of a loop keeps its value for the next turn") {
  // %r20 is written at the loop's end and read at its beginning, where later registers share places.
  const auto values = run(R"(
    mov.u32 %r10, 0; mov.u32 %r11, 0;
AGAIN:
    add.u32 %r12, %r20, 1; add.u32 %r13, %r12, %r11; mov.u32 %r14, %r13; mov.u32 %r11, %r14;
    add.u32 %r15, %r10, 1; mov.u32 %r10, %r15; mul.lo.u32 %r20, %r10, 2;
    setp.lt.u32 %p1, %r10, %r0; @%p1 bra AGAIN;
    mov.u32 %r70, %r11;)",
                          2, 32);
  for (unsigned i = 0; i < values.size(); ++i) {
    std::uint32_t sum = 0, twice = 0, turn = 0;
    do {
      sum += twice + 1;
      twice = ++turn * 2;
    } while (turn < i % 32);
    CHECK(values[i] == sum);
  }
}

TEST_CASE("values whose lives overlap have places of their own") {
  std::string body = "mov.u32 %r10, %r0;\n";
  for (int i = 11; i < 60; ++i)
    body += "mad.lo.u32 %r" + std::to_string(i) + ", %r" + std::to_string(i - 1) + ", 3, " + std::to_string(i) + ";\n";
  body += "mov.u32 %r70, 0;\n";
  for (int i = 10; i < 60; i += 7) body += "xor.b32 %r70, %r70, %r" + std::to_string(i) + ";\n";
  const auto values = run(body, 1, 64);
  for (unsigned thread = 0; thread < 64; ++thread) {
    std::uint32_t value = thread, expected = thread;
    for (unsigned i = 11; i < 60; ++i) {
      value = value * 3 + i;
      if ((i - 10) % 7 == 0) expected ^= value;
    }
    CHECK(values[thread] == expected);
  }
}

TEST_CASE("a frame does not grow with the number of values that are used once") {
  const auto chain = [](int length) {
    std::string body = "mov.u32 %r0, 1;\n";
    for (int i = 1; i <= length; ++i)
      body += "add.u32 %r" + std::to_string(i) + ", %r" + std::to_string(i - 1) + ", 1;\n";
    return body;
  };
  CHECK(register_bytes(chain(900)) == register_bytes(chain(10)));
}

}  // namespace kiln::emulator::register_places_test
