#include "ptx_text.hpp"

namespace ptx_functions_test {

using namespace kiln::emulator::ptx;

TEST_CASE("what a module says of itself") {
  const Module module = parse(".version 8.5\n.target sm_90a, texmode_independent, debug\n.address_size 64\n");
  CHECK(module.version_major == 8);
  CHECK(module.version_minor == 5);
  CHECK(module.target == "sm_90a");
  CHECK(module.sm == 90);
  CHECK(module.debug);
  CHECK(module.address_size == 64);
  CHECK_FALSE(module_of("").debug);
  CHECK(module_of("").function("k") == nullptr);
}

TEST_CASE("a text ends at its first NUL") {
  std::string text = ".version 9.0 .target sm_75 .address_size 64";
  text.append(3, '\0').append("rubbish");
  CHECK(parse(text).sm == 75);
}

TEST_CASE("kernels with parameters and limits") {
  const Module module = module_of(
      ".visible .entry k(\n\t.param .align 8 .b8 k_param_0[32],\n\t.param .u64 .ptr .global .align 16 k_param_1,\n"
      "\t.param .f32 k_param_2\n)\n.maxntid 128, 2\n.minnctapersm 3 .maxnreg 64 .reqnctapercluster 2, 1, 1\n"
      ".explicitcluster .blocksareclusters .maxclusterrank 8 .pragma \"nounroll\"; .reqntid 4,5,6\n{\n\tret;\n}\n");
  const Function& function = kernel(module);
  CHECK(function.is_entry);
  CHECK(function.has_body);
  CHECK(function.linkage == Linkage::visible);
  REQUIRE(function.params.size() == 3);
  CHECK(function.params[0].name == "k_param_0");
  CHECK(function.params[0].space == Space::param);
  CHECK(function.params[0].size == 32);
  CHECK(function.params[0].alignment == 8);
  CHECK(function.params[1].is_pointer);
  CHECK(function.params[1].alignment == 8);
  CHECK_FALSE(function.params[2].is_pointer);
  const Directives& limits = function.directives;
  CHECK(limits.maxntid[0] == 128);
  CHECK(limits.maxntid[1] == 2);
  CHECK(limits.maxntid[2] == 1);
  CHECK(limits.reqntid[2] == 6);
  CHECK(limits.minnctapersm == 3);
  CHECK(limits.maxnreg == 64);
  CHECK(limits.reqnctapercluster[0] == 2);
  CHECK(limits.explicitcluster);
  CHECK(limits.blocksareclusters);
  CHECK(limits.maxclusterrank == 8);
  CHECK_FALSE(limits.noreturn);
}

TEST_CASE("a prototype needs no semicolon, as in texts of old compilers") {
  const Module module = module_of(
      ".extern .func (.param .b32 r) f(.param .b32 a) .noreturn\n.func g(.param .b32 a)\n"
      ".visible .entry k()\n{\n\tret;\n}\n.func g(.param .b32 a)\n{\n\tret;\n}\n");
  REQUIRE(module.functions.size() == 3);
  CHECK_FALSE(module.function("f")->has_body);
  CHECK(module.function("f")->directives.noreturn);
  CHECK(module.function("g")->has_body);
  CHECK(module.function("k")->has_body);
}

TEST_CASE("a definition takes its declaration's place") {
  const Module module = module_of(
      ".func (.param .b32 r) f(.param .b64 x);\n.extern .func g .noreturn;\n"
      ".func (.param .b32 r) f(.param .b64 y)\n{ .reg .b64 %rd; ld.param.u64 %rd, [y]; ret; }\n"
      ".func (.param .b32 r) f(.param .b64 z);\n");
  REQUIRE(module.functions.size() == 2);
  const Function& function = *module.function("f");
  CHECK(function.has_body);
  CHECK(function.line == 4);
  CHECK(function.params[0].name == "y");
  CHECK(function.instructions[0].operands[1].elements[0].variable == &function.params[0]);
  CHECK(module.function("g")->directives.noreturn);
  CHECK_FALSE(module.function("g")->has_body);
}

TEST_CASE("declarations must agree") {
  CHECK(module_error(".func f; .func f(.param .b32 x);") ==
        "2; error   : Inconsistent prototypes of 'f', number of parameters differ");
  CHECK(module_error(".func f(.param .b64 x); .func f(.param .b32 x) { ret; }") ==
        "2; error   : Inconsistent prototypes of 'f', parameter types differ");
  CHECK(module_error(".func f { ret; } .func f { ret; }") == "2; error   : Duplicate definition of function 'f'");
  CHECK(module_error(".global .b32 f; .func f { ret; }") == "2; error   : Duplicate definition of function 'f'");
}

TEST_CASE("aliases, and functions by name") {
  const Module module = module_of(".func f { ret; } .weak .func g; .alias g, f;");
  CHECK(module.aliases.at("g") == "f");
  CHECK(module.function("g")->linkage == Linkage::weak);
  CHECK(module_error(".func f; .alias g, f;") == "2; error   : Unknown symbol 'g'");
}

TEST_CASE("functions of old have parameters in registers") {
  const Module module = module_of(".func (.reg .b32 r) f(.reg .b32 a, .reg .pred p) { @p mov.b32 r, a; ret; }");
  const Function& function = *module.function("f");
  REQUIRE(function.registers.size() == 3);
  CHECK(function.returns[0].reg == 0);
  CHECK(function.params[0].reg == 1);
  CHECK(function.instructions[0].guard == function.params[1].reg);
  CHECK(function.instructions[0].operands[0].index == 0);
}

}  // namespace ptx_functions_test
