#include "ptx_text.hpp"

namespace ptx_instructions_test {

using namespace kiln::emulator::ptx;

using Kind = Operand::Kind;

TEST_CASE("an opcode and its modifiers") {
  const Module module = kernel_of(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];");
  const Instruction& copy = first(module);
  CHECK(copy.opcode == "cp");
  CHECK(copy.modifiers == std::vector<std::string_view>{"async", "bulk", "tensor", "2d", "shared::cluster", "global",
                                                        "mbarrier::complete_tx::bytes"});
  CHECK(copy.has("shared::cluster"));
  CHECK_FALSE(copy.has("shared"));
  CHECK(copy.line == 2);
  CHECK(copy.guard == -1);
  REQUIRE(copy.operands.size() == 3);
  CHECK(copy.operands[0].kind == Kind::address);
  CHECK(copy.operands[1].kind == Kind::texture);
  CHECK(copy.operands[1].elements.at(1).kind == Kind::vector);
  CHECK(copy.operands[1].elements.at(1).elements.size() == 2);
}

TEST_CASE("guards") {
  const Module module = kernel_of("@%p3 ret; @!%p4 ret; @ ! %p3 ret;");
  const Function& function = kernel(module);
  CHECK(function.registers.at(static_cast<std::size_t>(function.instructions[0].guard)).name == "%p3");
  CHECK_FALSE(function.instructions[0].guard_negated);
  CHECK(function.instructions[1].guard_negated);
  CHECK(function.instructions[1].guard != function.instructions[0].guard);
  CHECK(function.instructions[2].guard == function.instructions[0].guard);
  CHECK(kernel_error("@%r1 ret;") == "2; error   : Predicate expression expected");
  CHECK(kernel_error("@%q ret;") == "2; error   : Unknown symbol '%q'");
}

TEST_CASE("registers are numbered at their first use") {
  const Module module = kernel_of("add.s32 %r7, %r2, %r7;");
  const Function& function = kernel(module);
  REQUIRE(function.registers.size() == 2);
  CHECK(function.registers[0].name == "%r7");
  CHECK(function.registers[0].type == Type::b32);
  CHECK(function.instructions[0].operands[0].index == 0);
  CHECK(function.instructions[0].operands[1].index == 1);
  CHECK(function.instructions[0].operands[2].index == 0);
  CHECK(function.instructions[0].operands[2].type == Type::b32);
}

TEST_CASE("a range of registers is what its number says") {
  CHECK(kernel_error("mov.b32 %r9, 0;").empty());
  CHECK(kernel_error("mov.b32 %r10, 0;") == "2; error   : Unknown symbol '%r10'");
  CHECK(kernel_error("mov.b32 %r01, 0;") == "2; error   : Unknown symbol '%r01'");
  CHECK(kernel_error(".reg .b32 %x<0x4>; mov.b32 %x3, 0;").empty());
  CHECK(kernel_error("mov.b32 %r, 0;") == "2; error   : Unknown symbol '%r'");
  const Module module = kernel_of(".reg .f64 %r1<5>; mov.f64 %r14, %r1;");
  CHECK(kernel(module).registers[0].type == Type::f64);
  CHECK(kernel(module).registers[1].type == Type::b32);
  CHECK(kernel_error(".reg .b32 %x<4000000000>;") == "2; error   : Too many registers '%x'");
  CHECK(kernel_error(".reg .b32 %r5;") == "2; error   : Duplicate definition of variable '%r5'");
}

TEST_CASE("vector registers and their components") {
  const Module module = kernel_of("ld.global.v4.b32 %v, [%rd1+16]; mov.b32 %v.z, %v.r;");
  const Function& function = kernel(module);
  const Operand& whole = function.instructions[0].operands[0];
  CHECK(whole.kind == Kind::vector);
  REQUIRE(whole.elements.size() == 4);
  CHECK(whole.elements[3].index == whole.elements[0].index + 3);
  CHECK(function.instructions[1].operands[0].index == whole.elements[2].index);
  CHECK(function.instructions[1].operands[1].index == whole.elements[0].index);
  CHECK(kernel_error("mov.b32 %v.q, 0;") == "2; fatal   : Parsing error near '.q': syntax error");
}

TEST_CASE("operands of every kind") {
  const Module module = kernel_of(
      "x.y %r1, -5, 0f3F800000, %tid.x, shared_data+8, g, {%r1, _, 3}, %r1|%p1, _|%p1, !%p1, WARP_SZ, %r2.b1;",
      ".shared .b8 shared_data[16]; .func g;\n");
  const std::vector<Operand>& operands = kernel(module).instructions[0].operands;
  REQUIRE(operands.size() == 12);
  CHECK(operands[0].kind == Kind::reg);
  CHECK(operands[1].kind == Kind::immediate);
  CHECK(operands[1].type == Type::s64);
  CHECK(operands[1].bits == ~std::uint64_t{4});
  CHECK(operands[2].type == Type::f32);
  CHECK(operands[3].kind == Kind::special);
  CHECK(operands[3].name == "%tid.x");
  CHECK(operands[4].kind == Kind::variable);
  CHECK(operands[4].variable == module.variable("shared_data"));
  CHECK(operands[4].offset == 8);
  CHECK(operands[5].kind == Kind::function);
  CHECK(operands[5].name == "g");
  CHECK(operands[6].elements.at(1).kind == Kind::sink);
  CHECK(operands[7].kind == Kind::pair);
  CHECK(operands[7].elements.at(1).type == Type::pred);
  CHECK(operands[8].elements.at(0).kind == Kind::sink);
  CHECK(operands[9].negated);
  CHECK(operands[10].bits == 32);
  CHECK(operands[11].name == "b1");
}

TEST_CASE("addresses") {
  const Module module = kernel_of(
      "ld.u32 %r1, [%rd1]; ld.u32 %r1, [%rd1+-4]; ld.u32 %r1, [%rd1-4]; ld.u32 %r1, [%rd1+4+8];"
      "ld.param.u64 %rd1, [a]; ld.param.u64 %rd1, [a+16]; ld.u32 %r1, [64+4];");
  const std::vector<Instruction>& loads = kernel(module).instructions;
  const auto element = [&](std::size_t i) {
    CHECK(loads.at(i).operands.at(1).kind == Kind::address);
    return loads[i].operands[1].elements.at(0);
  };
  CHECK(element(0).kind == Kind::reg);
  CHECK(element(0).offset == 0);
  CHECK(element(1).offset == -4);
  CHECK(element(2).offset == -4);
  CHECK(element(3).offset == 12);
  CHECK(element(4).variable == &kernel(module).params[0]);
  CHECK(element(5).offset == 16);
  CHECK(element(6).bits == 68);
}

TEST_CASE("an array's element by its number") {
  const Module module =
      kernel_of("ld.global.f64 %rd1, table[3]; mov.u64 %rd1, table[1+1];", ".global .f64 table[4];\n");
  const std::vector<Instruction>& instructions = kernel(module).instructions;
  CHECK(instructions[0].operands.at(1).kind == Kind::address);
  CHECK(instructions[0].operands[1].elements.at(0).offset == 24);
  CHECK(instructions[1].operands.at(1).kind == Kind::variable);
  CHECK(instructions[1].operands[1].offset == 16);
  CHECK(kernel_error("mov.b32 %r1, %r2[1];") == "2; fatal   : Parsing error near '[': syntax error");
}

TEST_CASE("parts of registers that video instructions select") {
  const Module module = kernel_of("vadd4.u32.u32.u32 %r1.b210, -%r2.b7654, %r3.h10, %r4;");
  const std::vector<Operand>& operands = first(module).operands;
  CHECK(operands.at(0).name == "b210");
  CHECK(operands.at(1).name == "b7654");
  CHECK(operands.at(1).negated);
  CHECK(operands.at(2).name == "h10");
  CHECK(operands.at(3).name.empty());
  CHECK(kernel_error("mov.b32 %r1.c0, 0;") == "2; fatal   : Parsing error near '.c0': syntax error");
}

TEST_CASE("special registers") {
  for (const char* const name : {"%laneid", "%clock64", "%envreg31", "%pm7", "%pm7_64", "%cluster_ctarank", "%tid.w"})
    CHECK(first(kernel_of(std::string("mov.b64 %rd1, ") + name + ";")).operands.at(1).kind == Kind::special);
  for (const char* const name : {"%laneids", "%envreg", "%pm_64", "%none"})
    CHECK(kernel_error(std::string("mov.b64 %rd1, ") + name + ";") ==
          "2; error   : Unknown symbol '" + std::string(name) + "'");
}

TEST_CASE("textures with and without a sampler") {
  const Module module = kernel_of(
      "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];"
      "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, %rd2, {%f5}];");
  const std::vector<Instruction>& fetches = kernel(module).instructions;
  CHECK(fetches[0].operands.at(1).kind == Kind::texture);
  CHECK(fetches[0].operands[1].elements.size() == 2);
  CHECK(fetches[1].operands.at(1).elements.size() == 3);
  CHECK(fetches[1].operands[0].kind == Kind::pair);
  CHECK(fetches[1].operands[0].elements.at(0).elements.size() == 4);
}

TEST_CASE("calls have three operands, whatever the text leaves out") {
  const Module module = kernel_of(
      "{ .param .b32 out; .param .b64 in; call.uni (out), f, (in); }"
      "call g, (%r1, 3); call g; call.uni (_), %rd1, (a), proto; proto: .callprototype (.param .b32 _) _ (.param .b64 "
      "_)"
      " .noreturn; call (%r1), %rd1, (a), several; several: .calltargets f, g;",
      ".func (.param .b32 r) f(.param .b64 x); .func g;\n");
  const Function& function = kernel(module);
  REQUIRE(function.instructions.size() == 5);
  for (const Instruction& call : function.instructions) {
    REQUIRE(call.operands.size() == 3);
    CHECK(call.operands[0].kind == Kind::list);
    CHECK(call.operands[2].kind == Kind::list);
  }
  const Instruction& direct = function.instructions[0];
  CHECK(direct.operands[0].elements.at(0).variable == &function.variables.at(0));
  CHECK(direct.operands[1].name == "f");
  CHECK(direct.operands[2].elements.at(0).variable == &function.variables.at(1));
  CHECK(function.instructions[1].operands[2].elements.at(1).bits == 3);
  CHECK(function.instructions[2].operands[2].elements.empty());
  const Instruction& indirect = function.instructions[3];
  CHECK(indirect.operands[1].kind == Kind::reg);
  REQUIRE(indirect.prototype == 0);
  CHECK(function.prototypes[0].label == "proto");
  CHECK(function.prototypes[0].returns.at(0).size == 4);
  CHECK(function.prototypes[0].params.at(0).size == 8);
  CHECK(function.prototypes[0].noreturn);
  const Instruction& chosen = function.instructions[4];
  CHECK(chosen.prototype == -1);
  REQUIRE(chosen.targets == 0);
  CHECK(function.target_lists[0].at(1).name == "g");
  CHECK(kernel_error("call nothing;") == "2; error   : Unknown symbol 'nothing'");
  CHECK(kernel_error("call %rd1, (a);") == "2; error   : Call to '%rd1' requires call prototype");
}

TEST_CASE("extra lines and statements that make no instruction") {
  const Module module = kernel_of(".pragma \"nounroll\"; /* a\n b */ // c\n# 1 \"x.cu\"\n ret;\n");
  CHECK(kernel(module).instructions.size() == 1);
  CHECK(first(module).line == 5);
}

}  // namespace ptx_instructions_test
