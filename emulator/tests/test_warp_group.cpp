// wgmma: products in all types and layouts, what ptxas refuses, and warps that do not come; setmaxnreg.
#include "run_ptx.hpp"
#include "warp_group_case.hpp"

#include <string>

namespace warp_group_test {

using namespace kiln::emulator;
using kiln::test::warp_group_cases;
using kiln::test::WarpGroupCase;
using kiln::test::WarpGroupData;

namespace {

std::string registers(const std::string& prefix, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "%" : ", %") + prefix + std::to_string(i);
  return text + "}";
}

/// Copies the image to shared memory, loads the registers, multiplies, and stores the accumulators.
std::string product_kernel(const WarpGroupCase& group) {
  const unsigned words = group.d_words();
  std::string text =
      ".visible .entry k(.param .u64 pi, .param .u64 pa, .param .u64 pm, .param .u64 pc, .param .u64 pd, .param .u64 "
      "da, "
      ".param .u64 db) {\n.shared .align 1024 .b8 image[49152];\n.reg .b32 %t, %at, %m, %v, %base, %c<128>, %a<4>;\n"
      ".reg .b64 %p, %q, %x, %y, %wide; .reg .pred %more;\nmov.u32 %t, %tid.x; mov.u32 %base, image;\n"
      "ld.param.u64 %p, [pi]; mov.u32 %at, %t;\n"
      "copy: mul.wide.u32 %wide, %at, 4; add.u64 %q, %p, %wide; ld.global.b32 %v, [%q]; mad.lo.u32 %m, %at, 4, %base;\n"
      "st.shared.b32 [%m], %v; add.u32 %at, %at, 128; setp.lt.u32 %more, %at, 12288; @%more bra copy;\n"
      "fence.proxy.async; bar.sync 0;\n";
  const auto place = [&](const char* param, unsigned bytes) {
    text += "ld.param.u64 %p, [" + std::string(param) + "]; mul.wide.u32 %wide, %t, " + std::to_string(bytes) +
            "; add.u64 %p, %p, %wide;\n";
  };
  place("pa", 16);
  for (unsigned i = 0; i < 4; ++i)
    text += "ld.global.b32 %a" + std::to_string(i) + ", [%p+" + std::to_string(4 * i) + "];\n";
  place("pm", 4);
  text += "ld.global.b32 %m, [%p];\n";
  place("pc", 4 * words);
  for (unsigned i = 0; i < words; ++i)
    text += "ld.global.b32 %c" + std::to_string(i) + ", [%p+" + std::to_string(4 * i) + "];\n";
  text +=
      "ld.param.u64 %x, [da]; ld.param.u64 %y, [db]; shr.u32 %base, %base, 4; cvt.u64.u32 %wide, %base;\n"
      "add.u64 %x, %x, %wide; add.u64 %y, %y, %wide; wgmma.fence.sync.aligned;\n" +
      group.instruction() + " " + registers("c", words) + ", " +
      (group.a_in_registers ? registers("a", 4) : std::string("%x")) + ", %y, " + (group.is_sparse ? "%m, " : "") +
      group.arguments() + ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n";
  place("pd", 4 * words);
  for (unsigned i = 0; i < words; ++i)
    text += "st.global.b32 [%p+" + std::to_string(4 * i) + "], %c" + std::to_string(i) + ";\n";
  return ptx_module(text + "ret; }\n", "sm_90a");
}

/// A kernel of one warp group; %p1 is true in its last warp, %d1 a descriptor of zeros, %x0 to %x3 accumulators.
LaunchOutcome run_group(const std::string& body, unsigned threads = 128) {
  TestModule module(
      ptx_module(".visible .entry k() {\n.shared .align 1024 .b8 room[4096]; .reg .pred %p<4>; "
                 ".reg .b32 %t, %r<4>; .reg .f32 %x<8>; .reg .b64 %d<4>;\nmov.u32 %t, %tid.x; "
                 "setp.ge.u32 %p1, %t, 96; mov.u32 %r1, room; shr.u32 %r1, %r1, 4; cvt.u64.u32 %d1, %r1;\n" +
                     body + "\nret; }\n",
                 "sm_90a"));
  return module.launch("k", {1}, {threads});
}
const std::string product =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%x0, %x1, %x2, %x3}, %d1, %d1, 0, 1, 1, 0, 0;\n";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string refused(const std::string& statement, const std::string& target = "sm_90a") {
  try {
    TestModule module(
        ptx_module(".visible .entry k() {\n.reg .pred %p<4>; .reg .b32 %r<24>; .reg .f32 %x<8>; "
                   ".reg .b64 %d<4>;\n" +
                       statement + "\nret; }\n",
                   target));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("wgmma.mma_async of all types, layouts and swizzles") {
  for (const WarpGroupCase& group : warp_group_cases()) {
    CAPTURE(group.instruction());
    CAPTURE(group.swizzle);
    CAPTURE(group.arguments());
    const WarpGroupData data(group);
    TestModule module(product_kernel(group));
    const Buffer<std::uint32_t> image(data.image), a(data.a), metadata(data.metadata), c(data.c);
    const Buffer<std::uint32_t> d(std::vector<std::uint32_t>(data.d.size()));
    const LaunchOutcome outcome = module.launch("k", {1}, {128}, image.address(), a.address(), metadata.address(),
                                                c.address(), d.address(), data.a_descriptor, data.b_descriptor);
    CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
    CHECK(d.values() == data.d);
  }
}

// A warp's 16 rows, B's 8 columns and metadata lie in the lanes as those of the first warp of a group.
TEST_CASE("mma.sp multiplies as sparse wgmma does") {
  for (const char* const type : {"f16", "bf16", "tf32", "e4m3", "s8", "u8"}) {
    WarpGroupCase group;
    group.a = group.b = type;
    group.d = type[0] == 's' || type[0] == 'u' ? "s32" : "f32";
    group.is_sparse = group.a_in_registers = true;
    group.selector = group.bits() == 8 ? 0 : 1;
    CAPTURE(type);
    const WarpGroupData data(group);
    const unsigned per = 32 / group.bits();
    std::vector<std::uint32_t> b(32 * 4);
    for (unsigned i = 0; i < 32 * 4 * per; ++i) {
      const unsigned lane = i / (4 * per), k = i / per % 4 * 4 * per + lane % 4 * per + i % per;
      b[i / per] |= kiln::test::encoded_element(type, data.b_value(k, lane / 4)) << (i % per * group.bits());
    }
    std::string text =
        ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pm, .param .u64 pc, .param .u64 pd) {\n"
        ".reg .b32 %t, %m, %a<4>, %b<4>, %c<4>; .reg .b64 %p, %wide;\nmov.u32 %t, %tid.x;\n";
    for (const std::string name : {"a", "b", "c"})
      text += "ld.param.u64 %p, [p" + name +
              "]; mul.wide.u32 %wide, %t, 16; add.u64 %p, %p, %wide;\nld.global.v4.b32 " + registers(name, 4) +
              ", [%p];\n";
    text +=
        "ld.param.u64 %p, [pm]; mul.wide.u32 %wide, %t, 4; add.u64 %p, %p, %wide; ld.global.b32 %m, [%p];\n"
        "mma.sp::ordered_metadata.sync.aligned.m16n8k" +
        std::to_string(group.k()) + ".row.col." + group.d + "." + type + "." + type + "." + group.d + " " +
        registers("c", 4) + ", " + registers("a", 4) + ", " + registers("b", 4) + ", " + registers("c", 4) + ", %m, " +
        std::to_string(group.selector) +
        ";\nld.param.u64 %p, [pd]; mul.wide.u32 %wide, %t, 16; add.u64 %p, %p, %wide;\n" + "st.global.v4.b32 [%p], " +
        registers("c", 4) + ";\nret; }\n";
    TestModule module(ptx_module(text));
    const Buffer<std::uint32_t> left(data.a), right(b), metadata(data.metadata), c(data.c);
    const Buffer<std::uint32_t> d(std::vector<std::uint32_t>(128));
    const LaunchOutcome outcome =
        module.launch("k", {1}, {32}, left.address(), right.address(), metadata.address(), c.address(), d.address());
    REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
    CHECK(d.values() == std::vector<std::uint32_t>(data.d.begin(), data.d.begin() + 128));
  }
}

TEST_CASE("a warp group has four whole warps, and all come") {
  const LaunchOutcome fine = run_group(product);
  CHECK_MESSAGE(fine.result == CUDA_SUCCESS, fine.report);
  const LaunchOutcome few = run_group(product, 96);
  CHECK(few.result == CUDA_ERROR_ILLEGAL_INSTRUCTION);
  CHECK_MESSAGE(has(few.report, "warp 3 is not in the block"), few.report);
  const LaunchOutcome partial = run_group(product, 100);
  CHECK_MESSAGE(has(partial.report, "warp 3 has not all 32 threads"), partial.report);
  const LaunchOutcome missing = run_group("@%p1 bra over;\n" + product + "over: bar.sync 0;");
  CHECK(missing.result == CUDA_ERROR_ILLEGAL_INSTRUCTION);
  CHECK_MESSAGE(has(missing.report, "all four warps must come to each"), missing.report);
  const LaunchOutcome part = run_group("setp.eq.u32 %p2, %t, 40;\n@%p2 bra over;\n" + product + "over:");
  CHECK_MESSAGE(has(part.report, "warp"), part.report);
  CHECK(part.result != CUDA_SUCCESS);
  const LaunchOutcome differing =
      run_group("@%p1 add.u64 %d1, %d1, 0; cvt.u64.u32 %d2, %t; add.u64 %d1, %d1, %d2;\n" + product);
  CHECK_MESSAGE(has(differing.report, "another matrix descriptor"), differing.report);
  const LaunchOutcome outside = run_group("mov.u64 %d1, 0x2000;\n" + product);
  CHECK_MESSAGE(outside.result == CUDA_ERROR_ILLEGAL_ADDRESS, outside.report);
}

TEST_CASE("the sum of integers is clamped by satfinite alone") {
  WarpGroupCase group;
  group.d = "s32";
  group.a = group.b = "u8";
  group.a_in_registers = true;
  WarpGroupData data(group);
  for (std::uint32_t& each : data.c) each = 0x7FFFFFFFu;
  std::string text = product_kernel(group);
  for (const bool saturates : {false, true}) {
    if (saturates) text.replace(text.find("k32.s32"), 7, "k32.satfinite.s32");
    TestModule module(text);
    const Buffer<std::uint32_t> image(data.image), a(data.a), metadata(data.metadata), c(data.c);
    const Buffer<std::uint32_t> d(std::vector<std::uint32_t>(data.d.size()));
    const LaunchOutcome outcome = module.launch("k", {1}, {128}, image.address(), a.address(), metadata.address(),
                                                c.address(), d.address(), data.a_descriptor, data.b_descriptor);
    REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
    CHECK((d.values()[0] == 0x7FFFFFFFu) == saturates);
  }
}

TEST_CASE("metadata that names an element twice is an error") {
  const LaunchOutcome outcome = run_group(
      "mov.b32 %r2, 0x55555555;\nwgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%x0, %x1, %x2, %x3}, %d1, %d1, "
      "%r2, 0, 0, 1, 1, 0, 0;");
  CHECK(outcome.result == CUDA_ERROR_ILLEGAL_INSTRUCTION);
  CHECK_MESSAGE(has(outcome.report, "has the metadata 5"), outcome.report);
}

TEST_CASE("wgmma and setmaxnreg that ptxas refuses") {
  const std::string sum = "{%x0, %x1, %x2, %x3}", head = "wgmma.mma_async.sync.aligned.";
  CHECK(refused(head + "m64n8k16.f32.f16.f16 " + sum + ", %d1, %d2, %p1, 1, 1, 0, 0;").empty());
  CHECK(
      has(refused("wgmma.fence.sync.aligned;", "sm_90"), "Instruction 'wgmma.fence' not supported on .target 'sm_90'"));
  CHECK(has(refused(head + "m64n8k16.f32.f16.f16 " + sum + ", %d1, %d2, %p1, 1, 2, 0, 0;"),
            "Argument 5 of instruction 'wgmma.mma_async': unexpected value '2', expected to be -1 or 1"));
  CHECK(has(refused(head + "m64n8k16.f32.f16.f16 " + sum + ", %d1, %d2, %p1, 1, 1;"), "Arguments mismatch"));
  CHECK(has(refused(head + "m64n8k16.f32.f16.f16 " + sum + ", %d1, %d2, %p1, 1, 1, 0, 0, 0;"), "Arguments mismatch"));
  CHECK(has(refused(head + "m64n8k16.f32.bf16.f16 " + sum + ", %d1, %d2, %p1, 1, 1, 0, 0;"),
            "Unexpected instruction types"));
  CHECK(has(refused(head + "m64n8k8.f32.f16.f16 " + sum + ", %d1, %d2, %p1, 1, 1, 0, 0;"),
            "Unexpected instruction types"));
  CHECK(has(refused(head + "m64n8k256.s32.b1.b1.xor.popc {%r0, %r1, %r2, %r3}, %d1, %d2, 1;"),
            "Illegal modifier '.xor' for instruction 'wgmma'"));
  CHECK(has(refused("setmaxnreg.inc.sync.aligned.u32 24;", "sm_90"),
            "'setmaxnreg.inc' not supported on .target 'sm_90'"));
  CHECK(has(refused("setmaxnreg.inc.sync.aligned.u32 28;"), "unexpected value '28', expected to be multiple of 8"));
  CHECK(has(refused("setmaxnreg.dec.sync.aligned.u32 264;"),
            "value '264' out of range, expected to be in range [24..256]"));
  CHECK(refused("setmaxnreg.dec.sync.aligned.u32 40; griddepcontrol.wait; griddepcontrol.launch_dependents;").empty());
}

}  // namespace warp_group_test
