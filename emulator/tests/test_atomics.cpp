#include "run_ptx.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace atomics_test {

using namespace kiln::emulator;

namespace {

// A kernel "k" with a parameter %out: `body` has %i, the thread's number in the grid, and %l, that in the block.
std::string kernel(const std::string& body, const std::string& before = "") {
  return ptx_module(before +
                    ".visible .entry k(.param .u64 p_out)\n{\n"
                    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b64 %out, %o, %x;\n"
                    ".reg .b32 %i, %l, %n, %c; .reg .f32 %f<9>; .reg .f64 %e<9>; .reg .b128 %q<5>;\n"
                    "mov.u32 %l, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %i, %c, %n, %l;\n"
                    "ld.param.u64 %out, [p_out];\n" +
                    body + "\nret;\n}\n");
}

template <class T>
std::vector<T> run(const std::string& text, std::vector<T> memory, unsigned blocks = 1, unsigned threads = 1) {
  TestModule module(text);
  Buffer<T> out(std::move(memory));
  const LaunchOutcome outcome = module.launch("k", {blocks}, {threads}, out.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

// One thread does it to memory[0]; what it returned goes to memory[1].
template <class T>
std::vector<T> once(const std::string& operation, const std::string& operands, T initial) {
  constexpr bool wide = sizeof(T) == 8;
  const std::string result = wide ? "%d1" : "%r1";
  // Pairs of halves have no constants.
  const bool is_packed = operation.ends_with("x2");
  const std::string set = is_packed ? "mov.b32 %r2, " + operands + ";\n" : "";
  return run<T>(kernel(set + "atom.global." + operation + " " + result + ", [%out], " + (is_packed ? "%r2" : operands) +
                       ";\nst.global.b" + std::to_string(8 * sizeof(T)) + " [%out+" + std::to_string(sizeof(T)) +
                       "], " + result + ";"),
                {initial, 0});
}

template <class T>
void check_once(const std::string& operation, const std::string& operands, T initial, T wanted) {
  CAPTURE(operation);
  CAPTURE(operands);
  CHECK(once<T>(operation, operands, initial) == std::vector<T>{wanted, initial});
}

constexpr std::uint32_t minus_one = 0xFFFFFFFFu;

}  // namespace

TEST_CASE("emulator atom: each integer operation") {
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  check_once<u32>("add.u32", "5", minus_one, 4);
  check_once<u32>("add.s32", "-5", 3, static_cast<u32>(-2));
  check_once<u64>("add.u64", "0x100000000", 5, 0x100000005);
  check_once<u32>("inc.u32", "7", 6, 7);
  check_once<u32>("inc.u32", "7", 7, 0);
  check_once<u32>("inc.u32", "7", 9, 0);
  check_once<u32>("dec.u32", "7", 6, 5);
  check_once<u32>("dec.u32", "7", 0, 7);
  check_once<u32>("dec.u32", "7", 9, 7);
  check_once<u32>("min.u32", "-1", 5, 5);
  check_once<u32>("min.s32", "-1", 5, minus_one);
  check_once<u32>("max.u32", "-1", 5, minus_one);
  check_once<u32>("max.s32", "-1", 5, 5);
  check_once<u64>("min.s64", "-1", 5, ~u64{0});
  check_once<u64>("min.u64", "-1", 5, 5);
  check_once<u64>("max.u64", "-1", 5, ~u64{0});
  check_once<u64>("max.s64", "-1", 5, 5);
  check_once<u32>("and.b32", "12", 10, 8);
  check_once<u32>("or.b32", "12", 10, 14);
  check_once<u32>("xor.b32", "12", 10, 6);
  check_once<u64>("and.b64", "12", 10, 8);
  check_once<u64>("or.b64", "12", 10, 14);
  check_once<u64>("xor.b64", "12", 10, 6);
  check_once<u32>("exch.b32", "12", 10, 12);
  check_once<u64>("exch.b64", "12", 10, 12);
  check_once<u32>("cas.b32", "10, 3", 10, 3);
  check_once<u32>("cas.b32", "11, 3", 10, 10);
  check_once<u64>("cas.b64", "10, 3", 10, 3);
  check_once<u64>("acq_rel.sys.cas.b64", "11, 3", 10, 10);
  check_once<u32>("relaxed.cluster.add.u32", "5", 1, 6);
}

TEST_CASE("emulator atom: f32 in global memory flushes subnormal values, in shared memory it does not") {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  check_once<std::uint32_t>("add.f32", "0f3F800000", bits(2.5f), bits(3.5f));
  check_once<std::uint32_t>("add.f32", "0f00000001", 1, 0);
  check_once<std::uint32_t>("add.f32", "0f00000001", bits(std::numeric_limits<float>::quiet_NaN()), 0x7FFFFFFF);
  const std::vector<std::uint32_t> shared = run<std::uint32_t>(
      kernel("st.shared.u32 [s], 1; atom.shared.add.f32 %f1, [s], 0f00000002; ld.shared.u32 %r1, [s];\n"
             "st.global.u32 [%out], %r1; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; atom.add.f32 %f1, [%d1], "
             "0f00000004;\nld.shared.u32 %r1, [s]; st.global.u32 [%out+4], %r1;",
             ".shared .align 4 .b32 s;\n"),
      {0, 0});
  CHECK(shared == std::vector<std::uint32_t>{3, 7});
}

TEST_CASE("emulator atom: f64, and halves alone and in pairs") {
  check_once<std::uint64_t>("add.f64", "0d3FF0000000000000", std::bit_cast<std::uint64_t>(2.5),
                            std::bit_cast<std::uint64_t>(3.5));
  check_once<std::uint32_t>("add.noftz.f16x2", "0x3C004000", 0x3C003C00, 0x40004200);   // 1+1, 1+2
  check_once<std::uint32_t>("add.noftz.bf16x2", "0x3F804000", 0x3F803F80, 0x40004040);  // 1+1, 1+2
  const std::vector<std::uint16_t> halves = run<std::uint16_t>(
      kernel("mov.b16 %h1, 0x3C00; atom.global.add.noftz.f16 %h2, [%out], %h1; st.global.b16 [%out+2], %h2;\n"
             "mov.b16 %h1, 0x3F80; red.global.add.noftz.bf16 [%out+4], %h1; mov.b16 %h1, 5; mov.b16 %h3, 6;\n"
             "atom.global.cas.b16 %h2, [%out+6], %h1, %h3;"),
      {0x3C00, 0, 0x3F80, 5});
  CHECK(halves == std::vector<std::uint16_t>{0x4000, 0x3C00, 0x4000, 6});
}

TEST_CASE("emulator red: vectors of sm_90") {
  const std::vector<float> sums =
      run<float>(kernel("mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000; red.global.add.v2.f32 [%out], {%f1, %f2};\n"
                        "atom.global.add.v4.f32 {%f3, %f4, %f5, %f6}, [%out+16], {%f1, %f2, %f1, %f2};\n"
                        "st.global.v2.f32 [%out+8], {%f3, %f6};"),
                 {10, 20, 0, 0, 1, 2, 3, 4});
  CHECK(sums == std::vector<float>{11, 22, 1, 4, 2, 4, 4, 6});
  const std::vector<std::uint32_t> pairs = run<std::uint32_t>(
      kernel("mov.b32 %r1, 0x3C003C00; red.global.max.noftz.v2.f16x2 [%out], {%r1, %r1};"), {0x40000000, 0x3C003800});
  CHECK(pairs == std::vector<std::uint32_t>{0x40003C00, 0x3C003C00});
}

TEST_CASE("emulator atom: 128 bits") {
  const std::vector<std::uint64_t> values = run<std::uint64_t>(
      kernel("mov.b128 %q1, {3, 4}; atom.global.exch.b128 %q2, [%out], %q1; st.global.b128 [%out+16], %q2;\n"
             "mov.b128 %q3, {5, 6}; atom.global.cas.b128 %q2, [%out], %q1, %q3; st.global.b128 [%out+32], %q2;\n"),
      {1, 2, 0, 0, 0, 0});
  CHECK(values == std::vector<std::uint64_t>{5, 6, 1, 2, 3, 4});
}

TEST_CASE("emulator atom: lanes at one address, and blocks side by side, lose nothing") {
  const std::vector<std::uint32_t> counts = run<std::uint32_t>(
      kernel("red.global.add.u32 [%out], 1; atom.global.inc.u32 %r1, [%out+4], 999; red.global.max.u32 [%out+8], %i;\n"
             "mov.f32 %f1, 0f3F800000; red.global.add.f32 [%out+12], %f1; red.global.xor.b32 [%out+16], %i;"),
      {0, 0, 0, 0, 0}, 40, 256);
  CHECK(counts[0] == 40 * 256);
  CHECK(counts[1] == 40 * 256 % 1000);
  CHECK(counts[2] == 40 * 256 - 1);
  CHECK(counts[3] == std::bit_cast<std::uint32_t>(40.0f * 256));
  CHECK(counts[4] == 0);
}

TEST_CASE("emulator atom: each thread of all blocks gets another ticket") {
  const unsigned blocks = 20, threads = 128;
  std::vector<std::uint32_t> memory(1 + blocks * threads);
  const std::vector<std::uint32_t> taken =
      run<std::uint32_t>(kernel("atom.global.add.u32 %r1, [%out], 1; mul.wide.u32 %x, %r1, 4; add.u64 %o, %out, %x;\n"
                                "red.global.add.u32 [%o+4], 1;"),
                         memory, blocks, threads);
  CHECK(taken == [&] {
    std::vector<std::uint32_t> wanted(memory.size(), 1);
    wanted[0] = blocks * threads;
    return wanted;
  }());
}

TEST_CASE("emulator fence: a message between blocks arrives whole") {
  // Block 0 writes a value, then a flag; the others wait for the flag.
  const unsigned blocks = 4;
  std::vector<std::uint32_t> memory(2 + blocks);
  const std::vector<std::uint32_t> seen = run<std::uint32_t>(
      kernel("setp.ne.u32 %p1, %c, 0; @%p1 bra WAIT;\nst.global.u32 [%out], 77; fence.acq_rel.gpu;\n"
             "st.relaxed.gpu.global.u32 [%out+4], 1; membar.gl; bra DONE;\nWAIT:\n"
             "ld.acquire.gpu.global.u32 %r1, [%out+4]; setp.eq.u32 %p2, %r1, 0; @%p2 bra WAIT;\nDONE:\n"
             "ld.global.u32 %r2, [%out]; mul.wide.u32 %x, %c, 4; add.u64 %o, %out, %x; st.global.u32 [%o+8], %r2;"),
      memory, blocks, 1);
  for (unsigned i = 0; i < blocks; ++i) CHECK(seen[2 + i] == 77);
}

TEST_CASE("emulator atom: an operation that the type does not have is an error of the text") {
  CHECK_THROWS_AS(TestModule(kernel("atom.global.inc.u64 %d1, [%out], 1;")), ptx::ParseError);
  CHECK_THROWS_AS(TestModule(kernel("atom.global.add.u32 %r1, [%out];")), ptx::ParseError);
  CHECK_THROWS_AS(TestModule(kernel("red.global.add.v2.f32 [%out], %f1;")), ptx::ParseError);
}

}  // namespace atomics_test
