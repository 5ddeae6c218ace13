#include "run_ptx.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace async_copy_test {

using namespace kiln::emulator;

namespace {

// 32 threads; thread i copies bytes [16 i, 16 i + size) of `in` to shared memory at 16 i, and writes 16 bytes from
// there to `out`.
std::vector<std::uint8_t> copied(const std::string& instruction) {
  TestModule module(ptx_module(
      ".shared .align 16 .b8 s[512];\n.visible .entry k(.param .u64 p_out, .param .u64 p_in)\n{\n"
      ".reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b32 %i, %s; .reg .b64 %x, %in, %out;\n"
      "mov.u32 %i, %tid.x; mul.wide.u32 %x, %i, 16; ld.param.u64 %out, [p_out]; ld.param.u64 %in, [p_in];\n"
      "add.u64 %in, %in, %x; add.u64 %out, %out, %x; mov.u32 %s, s; shl.b32 %r1, %i, 4; add.u32 %s, %s, %r1;\n"
      "mov.u32 %r9, 0x77777777; st.shared.v4.b32 [%s], {%r9, %r9, %r9, %r9}; and.b32 %r2, %i, 15;\n"
      "setp.gt.u32 %p1, %i, 9;\n" +
      instruction +
      "\ncp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all; bar.sync 0;\n"
      "ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%s]; st.global.v4.b32 [%out], {%r3, %r4, %r5, %r6}; ret; }\n"));
  std::vector<std::uint8_t> input(512);
  std::iota(input.begin(), input.end(), std::uint8_t{0});
  Buffer<std::uint8_t> in(input), out(std::vector<std::uint8_t>(512));
  const LaunchOutcome outcome = module.launch("k", {1}, {32}, out.address(), in.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

// What thread i finds: `taken` bytes of the input, zeros up to `size`, then what was there.
void check(const std::vector<std::uint8_t>& found, unsigned i, unsigned taken, unsigned size) {
  for (unsigned at = 0; at < 16; ++at) {
    const unsigned wanted = at < taken ? (16 * i + at) % 256 : at < size ? 0 : 0x77;
    CAPTURE(i);
    CAPTURE(at);
    CHECK(found[16 * i + at] == wanted);
  }
}

}  // namespace

TEST_CASE("emulator cp.async: 4, 8 and 16 bytes") {
  for (const unsigned size : {4u, 8u, 16u}) {
    const auto found = copied("cp.async.ca.shared.global [%s], [%in], " + std::to_string(size) + ";");
    for (unsigned i = 0; i < 32; ++i) check(found, i, size, size);
  }
  const auto found = copied("cp.async.cg.shared::cta.global.L2::128B [%s], [%in], 16;");
  for (unsigned i = 0; i < 32; ++i) check(found, i, 16, 16);
}

TEST_CASE("emulator cp.async: fewer bytes of the source, or none") {
  const auto limited = copied("cp.async.ca.shared.global [%s], [%in], 16, %r2;");
  for (unsigned i = 0; i < 32; ++i) check(limited, i, i % 16, 16);
  const auto ignored = copied("cp.async.ca.shared.global [%s], [%in], 8, %p1;");
  for (unsigned i = 0; i < 32; ++i) check(ignored, i, i > 9 ? 0 : 8, 8);
  const auto hinted = copied(
      "createpolicy.fractional.L2::evict_first.b64 %d1, 1.0;\n"
      "cp.async.cg.shared.global.L2::cache_hint [%s], [%in], 16, 4, %d1;");
  for (unsigned i = 0; i < 32; ++i) check(hinted, i, 4, 16);
}

TEST_CASE("emulator cp.async: nothing is read where the source has no bytes") {
  const auto found = copied("mov.u64 %in, 0; mov.u32 %r2, 0; cp.async.ca.shared.global [%s], [%in], 4, %r2;");
  for (unsigned i = 0; i < 32; ++i) check(found, i, 0, 4);
}

TEST_CASE("emulator cp.async: sizes that it has not are refused") {
  const auto text = [](const std::string& instruction) {
    return ptx_module(
        ".shared .align 16 .b8 s[512];\n.visible .entry k(.param .u64 p)\n{ .reg .b64 %d<5>;\n"
        "ld.param.u64 %d1, [p];\n" +
        instruction + "\nret; }\n");
  };
  CHECK_THROWS_AS(TestModule(text("cp.async.ca.shared.global [s], [%d1], 12;")), ptx::ParseError);
  CHECK_THROWS_AS(TestModule(text("cp.async.cg.shared.global [s], [%d1], 8;")), ptx::ParseError);
}

}  // namespace async_copy_test
