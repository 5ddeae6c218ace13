#include "ptx_text.hpp"

namespace ptx_scopes_test {

using namespace kiln::emulator::ptx;

TEST_CASE("an inner block's names hide the outer ones until it ends") {
  const Module module = kernel_of(
      "mov.b32 %r1, 0; { .reg .b64 %r<3>; mov.b64 %r1, 0; mov.b32 %r5, 0; } mov.b32 %r1, 0;"
      "{ .param .b32 p; st.param.b32 [p], 1; } { .param .b64 p; st.param.b64 [p], 2; }");
  const Function& function = kernel(module);
  const auto reg = [&](std::size_t i) { return function.instructions.at(i).operands[0].index; };
  CHECK(function.registers[reg(0)].type == Type::b32);
  CHECK(function.registers[reg(1)].type == Type::b64);
  CHECK(function.registers[reg(2)].type == Type::b32);
  CHECK(reg(3) == reg(0));
  const auto variable = [&](std::size_t i) { return function.instructions.at(i).operands[0].elements.at(0).variable; };
  CHECK(variable(4)->size == 4);
  CHECK(variable(5)->size == 8);
  CHECK(function.variables.size() == 2);
}

TEST_CASE("labels stand before or behind their uses") {
  const Module module = kernel_of("back: bra forth; bra.uni back; forth: ret; end:");
  const Function& function = kernel(module);
  CHECK(function.instructions[0].operands.at(0).kind == Operand::Kind::label);
  CHECK(function.instructions[0].operands[0].index == 2);
  CHECK(function.instructions[0].operands[0].name == "forth");
  CHECK(function.instructions[1].operands[0].index == 0);
  CHECK(function.labels.at("forth") == 2);
  CHECK(function.labels.at("end") == 3);
}

TEST_CASE("a label is seen in its block and the blocks in it") {
  const Module module = kernel_of("{ L: bra L; bra out; } { bra L; L: ret; } out: ret;");
  const Function& function = kernel(module);
  CHECK(function.instructions[0].operands[0].index == 0);
  CHECK(function.instructions[1].operands[0].index == 4);
  CHECK(function.instructions[2].operands[0].index == 3);
  CHECK(kernel_error("{ L: ret; }\n bra L;") == "3; error   : Unknown symbol 'L'");
  CHECK(kernel_error("L: ret; L: ret;") == "2; error   : Duplicate definition of label 'L'");
}

TEST_CASE("thousands of names are each themselves") {
  std::string declarations, uses;
  for (int i = 0; i < 5000; ++i) {
    const std::string number = std::to_string(i);
    declarations += ".reg .b" + std::string(i % 2 == 0 ? "32" : "64") + " name" + number + ";";
    uses += "L" + number + ": mov.b32 name" + number + ", 0; bra L" + std::to_string(4999 - i) + ";";
  }
  const Module module = kernel_of(declarations + uses);
  const Function& function = kernel(module);
  REQUIRE(function.instructions.size() == 10'000);
  REQUIRE(function.registers.size() == 5000);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    REQUIRE(function.registers[i].type == (i % 2 == 0 ? Type::b32 : Type::b64));
    REQUIRE(function.instructions[2 * i].operands[0].index == i);
    REQUIRE(function.instructions[2 * i + 1].operands[0].index == 2 * (4999 - i));
  }
}

TEST_CASE("tables of branches") {
  const Module module = kernel_of("table: .branchtargets one, two, one; brx.idx %r1, table; one: ret; two: ret;");
  const Instruction& branch = first(module);
  REQUIRE(branch.targets == 0);
  CHECK(branch.operands.size() == 1);
  const std::vector<Operand>& table = kernel(module).target_lists[0];
  REQUIRE(table.size() == 3);
  CHECK(table[0].index == 1);
  CHECK(table[1].index == 2);
  CHECK(table[2].index == 1);
  CHECK(table[2].name == "one");
  CHECK(kernel_error("brx.idx %r1, one; one: ret;") == "2; error   : Label of another kind expected instead of 'one'");
}

TEST_CASE("a function's variables live in all its blocks") {
  const Module module = kernel_of(".shared .align 4 .b8 tile[64]; .local .b32 x; { .shared .b8 tile[2]; }");
  const Function& function = kernel(module);
  REQUIRE(function.variables.size() == 3);
  CHECK(function.variables[0].space == Space::shared);
  CHECK(function.variables[0].size == 64);
  CHECK(function.variables[1].space == Space::local);
  CHECK(function.variables[2].size == 2);
  CHECK(kernel_error(".shared .b8 x[];") == "2; error   : Non-external variable 'x' has incomplete type");
  CHECK(kernel_error(".reg .b32 x, x;") == "2; error   : Duplicate definition of variable 'x'");
  CHECK(kernel_error(".reg .b32 a;") == "2; error   : Duplicate definition of variable 'a'");
}

}  // namespace ptx_scopes_test
