// The forms that the toolkit's texture and surface headers become: each is lowered, none stops the kernel.
#include "run_ptx.hpp"

#include "emulator/lowering/unsupported.hpp"

#include <algorithm>

namespace texture_forms_test {

using namespace kiln::emulator;

TEST_CASE("every form of the toolkit's texture and surface functions has a lowering") {
  const std::string body =
      "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1}];\n"
      "tex.1d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%f1}];\n"
      "tex.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%f1, %f2}];\n"
      "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}];\n"
      "tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1}];\n"
      "tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1, %f2, %f2}];\n"
      "tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}];\n"
      "tex.acube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1, %f2, %f3}];\n"
      "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}];\n"
      "tld4.g.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p2, [%d1, {%f1, %f2}];\n"
      "tld4.b.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%f1, %f2}];\n"
      "tld4.a.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%f1, %f2}];\n"
      "tex.level.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1}], %f3;\n"
      "tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}], %f3;\n"
      "tex.level.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p3, [%d1, {%f1, %f2, %f3, %f3}], %f9;\n"
      "tex.level.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1}], %f3;\n"
      "tex.level.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1, %f2, %f2}], %f3;\n"
      "tex.level.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}], %f9;\n"
      "tex.level.acube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1, %f2, %f3}], %f9;\n"
      "tex.grad.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1}], {%f2}, {%f3};\n"
      "tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}], {%f9, %f8}, {%f7, %f6};\n"
      "tex.grad.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}], {%f9, %f8, %f5, %f5}, "
      "{%f7, %f6, %f4, %f4};\n"
      "tex.grad.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}], {%f9, %f8, %f5, %f5}, "
      "{%f7, %f6, %f4, %f4};\n"
      "tex.grad.acube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1, %f2, %f3}], {%f9, %f8, %f5, %f5}, "
      "{%f7, %f6, %f4, %f4};\n"
      "tex.grad.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1}], {%f2}, {%f3};\n"
      "tex.grad.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f1, %f2, %f2}], {%f9, %f8}, {%f7, %f6};\n"
      "suld.b.1d.b8.trap {%h1}, [%d1, {%r1}];\n"
      "suld.b.2d.v2.b16.clamp {%h2, %h3}, [%d1, {%r1, %r2}];\n"
      "suld.b.3d.v4.b32.zero {%r4, %r5, %r6, %r7}, [%d1, {%r1, %r2, %r3, %r3}];\n"
      "suld.b.a2d.v2.b64.trap {%d2, %d3}, [%d1, {%r3, %r1, %r2, %r2}];\n"
      "suld.b.a1d.b64.trap {%d3}, [%d1, {%r3, %r1}];\n"
      "suld.b.a2d.v4.b8.trap {%h4, %h5, %h6, %h7}, [%d1, {%r3, %r1, %r2, %r2}];\n"
      "sust.b.1d.b8.trap [%d1, {%r1}], {%h1};\n"
      "sust.b.2d.v2.b16.clamp [%d1, {%r1, %r2}], {%h1, %h2};\n"
      "sust.b.3d.v4.b32.zero [%d1, {%r1, %r2, %r3, %r3}], {%r8, %r9, %r1, %r2};\n"
      "sust.b.a2d.v2.b64.trap [%d1, {%r3, %r1, %r2, %r2}], {%d2, %d3};\n"
      "sust.b.a1d.b64.trap [%d1, {%r3, %r1}], {%d4};\n"
      "sust.b.a2d.v4.b8.trap [%d1, {%r3, %r1, %r2, %r2}], {%h1, %h2, %h3, %h4};\n";
  const TestModule module(elementwise(body, 4));
  const Code& code = *module.image().code("k");
  std::size_t lowered = 0;
  for (const Step& step : code.steps) {
    const ptx::Instruction& instruction = code.source->instructions.at(step.instruction);
    const bool done = step.run != &stop_unsupported;
    CHECK_MESSAGE(done, "line " << instruction.line << ": " << instruction.opcode);
    if (instruction.opcode.starts_with("t") || instruction.opcode.starts_with("s")) ++lowered;
  }
  CHECK(lowered >= static_cast<std::size_t>(std::count(body.begin(), body.end(), '\n')));
}

}  // namespace texture_forms_test
