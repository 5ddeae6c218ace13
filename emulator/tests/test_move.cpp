// mov and prmt.
#include "instruction_runs.hpp"

namespace move_test {

using namespace kiln::emulator;

TEST_CASE("vectors are packed and unpacked, lowest part first") {
  const auto cases = usual_words();
  check_words("mov.b32 {%h1, %h2}, %r1; mov.b32 %r5, {%h2, %h1}; mov.b64 {_, %r6}, %d1;", cases,
              [](const Words& w) { return std::uint64_t{w[1]} << 32 | (w[0] << 16 | w[0] >> 16); });
  check_words("mov.b64 {%h1, %h2, %h3, %h4}, %d1; mov.b64 %d5, {%h4, %h3, %h2, %h1}; mov.b64 {%r5, %r6}, %d5;", cases,
              [](const Words& w) {
                const auto swapped = [](std::uint32_t x) { return std::uint64_t{x << 16 | x >> 16}; };
                return swapped(w[0]) << 32 | swapped(w[1]);
              });
  check_words(
      ".reg .b8 %x<4>; mov.b32 {%x0, %x1, %x2, %x3}, %r1; mov.b32 %r5, {%x3, %x2, %x1, %x0};\n"
      "mov.b16 %h1, {%x1, %x0}; cvt.u32.u16 %r6, %h1;",
      cases, [](const Words& w) {
        return std::uint64_t{(w[0] & 255u) << 8 | ((w[0] >> 8) & 255u)} << 32 | __builtin_bswap32(w[0]);
      });
  check_words(
      ".reg .b128 %q<3>; mov.b128 %q0, {%d1, %d2}; mov.b128 %q1, %q0; mov.b128 {%d5, %d6}, %q1;\n"
      "xor.b64 %d5, %d5, %d6; mov.b64 {%r5, %r6}, %d5;",
      cases, [](const Words& w) { return std::uint64_t{w[1] ^ w[3]} << 32 | (w[0] ^ w[2]); });
  check_words("mov.v2.u32 {%r1, %r2}, {%r2, %r1}; mov.b32 %r5, %r1; mov.b32 %r6, %r2;", cases,
              [](const Words& w) { return std::uint64_t{w[0]} << 32 | w[1]; });
}

TEST_CASE("constants of every type") {
  check_words("mov.u16 %h1, -2; mov.b16 %h2, 0x3C00; mov.b32 %r5, {%h1, %h2}; mov.f32 %f1, 0.5; mov.b32 %r6, %f1;",
              usual_words(), [](const Words&) { return std::uint64_t{0x3F000000u} << 32 | 0x3C00FFFEu; });
  check_words("mov.f64 %e1, 0d3FF8000000000000; mov.b64 {%r5, %r6}, %e1;", usual_words(),
              [](const Words&) { return std::uint64_t{0x3FF8000000000000u}; });
  check_words("mov.s64 %d5, -1; mov.b64 {%r5, %r6}, %d5;", usual_words(),
              [](const Words&) { return ~std::uint64_t{0}; });
}

TEST_CASE("addresses of variables and functions") {
  TestModule module(ptx_module(R"(
    .visible .global .align 8 .b8 data[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    .visible .entry k(.param .u64 out) {
      .reg .b64 %d<9>; .reg .b32 %r<9>;
      .shared .align 16 .b8 first[32]; .shared .align 16 .b8 second[32];
      ld.param.u64 %d1, [out];
      mov.u64 %d2, data; st.global.u64 [%d1], %d2;
      mov.u64 %d2, data+8; st.global.u64 [%d1+8], %d2;
      mov.u32 %r1, first; mov.u32 %r2, second; sub.s32 %r3, %r2, %r1; abs.s32 %r3, %r3;
      cvt.u64.u32 %d3, %r3; st.global.u64 [%d1+16], %d3;
      ret; })"));
  Buffer<std::uint64_t> out(std::vector<std::uint64_t>(3));
  const LaunchOutcome outcome = module.launch("k", {}, {1}, out.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  const ImageVariable* data = module.image().variable("data");
  REQUIRE(data != nullptr);
  CHECK(out.values() == std::vector<std::uint64_t>{data->address, data->address + 8, 32});
}

TEST_CASE("prmt takes bytes and signs") {
  std::vector<Words> cases;
  for (const std::uint32_t selector : {0x3210u, 0x7654u, 0x0123u, 0xFEDCu, 0xBA98u, 0x80F7u, 0x0000u, 0xFFFFFFFFu})
    for (const std::uint32_t a : {0x12345678u, 0x80FF7F01u}) cases.push_back({a, 0x9A80C3FEu, selector, 0});
  check_words("prmt.b32 %r5, %r1, %r2, %r3;", cases, [](const Words& w) {
    std::uint8_t bytes[8];
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(w[i / 4] >> (8 * (i % 4)));
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t digit = (w[2] >> (4 * i)) & 15u;
      const std::uint32_t byte = digit < 8 ? bytes[digit] : bytes[digit - 8] >= 128 ? 255 : 0;
      result |= byte << (8 * i);
    }
    return result;
  });
}

TEST_CASE("the modes of prmt") {
  std::vector<Words> cases;
  for (std::uint32_t c = 0; c < 6; ++c) cases.push_back({0x13121110u, 0x17161514u, c, 0});
  const auto check_mode = [&](const std::string& mode, std::array<std::uint32_t, 4> expected) {
    check_words("prmt.b32." + mode + " %r5, %r1, %r2, %r3;", cases, [=](const Words& w) { return expected[w[2] % 4]; });
  };
  check_mode("f4e", {0x13121110u, 0x14131211u, 0x15141312u, 0x16151413u});
  check_mode("b4e", {0x15161710u, 0x16171011u, 0x17101112u, 0x10111213u});
  check_mode("rc8", {0x10101010u, 0x11111111u, 0x12121212u, 0x13131313u});
  check_mode("ecl", {0x13121110u, 0x13121111u, 0x13121212u, 0x13131313u});
  check_mode("ecr", {0x10101010u, 0x11111110u, 0x12121110u, 0x13121110u});
  check_mode("rc16", {0x11101110u, 0x13121312u, 0x11101110u, 0x13121312u});
}

}  // namespace move_test
