#include "ptx_text.hpp"

namespace ptx_variables_test {

using namespace kiln::emulator::ptx;

namespace {

using Bytes = std::vector<std::uint8_t>;

Variable variable_of(const std::string& declaration) { return module_of(declaration).variables.back(); }

}  // namespace

TEST_CASE("a variable's space, type, alignment and size") {
  const Module module = module_of(
      ".visible .global .align 16 .b8 buffer[100];\n"
      ".const .f64 one;\n"
      ".extern .shared .align 8 .b8 dynamic[];\n"
      ".weak .global .v4 .f32 vectors[2][3];\n"
      ".global .attribute(.managed) .align 4 .u32 managed, second;\n"
      ".global .texref texture;\n"
      ".tex .u32 old;\n");
  const Variable& buffer = *module.variable("buffer");
  CHECK(buffer.space == Space::global);
  CHECK(buffer.linkage == Linkage::visible);
  CHECK(buffer.alignment == 16);
  CHECK(buffer.size == 100);
  CHECK(buffer.is_array);
  CHECK(buffer.data.empty());
  CHECK(buffer.line == 2);
  const Variable& one = *module.variable("one");
  CHECK(one.space == Space::constant);
  CHECK(one.alignment == 8);
  CHECK(one.size == 8);
  CHECK_FALSE(one.is_array);
  const Variable& dynamic = *module.variable("dynamic");
  CHECK(dynamic.space == Space::shared);
  CHECK(dynamic.linkage == Linkage::external);
  CHECK(dynamic.size == 0);
  CHECK(module.variable("vectors")->size == 96);
  CHECK(module.variable("vectors")->alignment == 16);
  CHECK(module.variable("managed")->managed);
  CHECK(module.variable("second")->managed);
  CHECK_FALSE(one.managed);
  CHECK(module.variable("texture")->type == Type::texref);
  CHECK(module.variable("old")->space == Space::tex);
  CHECK(module.variable("nothing") == nullptr);
}

TEST_CASE("initial values by type") {
  CHECK(variable_of(".global .u32 x = 258;").data == Bytes{2, 1, 0, 0});
  CHECK(variable_of(".global .s16 x = -2;").data == Bytes{0xFE, 0xFF});
  CHECK(variable_of(".global .f32 x = 0f3F800000;").data == Bytes{0, 0, 0x80, 0x3F});
  CHECK(variable_of(".global .f32 x = 1.0;").data == Bytes{0, 0, 0x80, 0x3F});
  CHECK(variable_of(".global .f64 x = 1.0;").data == Bytes{0, 0, 0, 0, 0, 0, 0xF0, 0x3F});
  CHECK(variable_of(".global .b64 x = (1 << 33) + 1;").data == Bytes{1, 0, 0, 0, 2, 0, 0, 0});
  CHECK(module_error(".global .f32 x = 1;") == "2; fatal   : Initial value type mismatch");
}

TEST_CASE("arrays are given as far as the text goes") {
  CHECK(variable_of(".global .b8 x[16] = {1, 2, 3};").data == Bytes{1, 2, 3});
  CHECK(variable_of(".global .b8 x[16] = {};").data.empty());
  CHECK(variable_of(".global .b8 x[2][3] = {{1}, {2, 3}};").data == Bytes{1, 0, 0, 2, 3});
  const Variable open = variable_of(".global .b16 x[][2] = {{1}, {2, 3}, {4}};");
  CHECK(open.data == Bytes{1, 0, 0, 0, 2, 0, 3, 0, 4, 0});
  CHECK(open.size == 12);
  CHECK(variable_of(".global .v2 .b8 x[2] = {{1, 2}, {3, 4}};").data == Bytes{1, 2, 3, 4});
  CHECK(variable_of(".global .v2 .b8 x = {1, 2};").data == Bytes{1, 2});
}

TEST_CASE("arrays that do not fit, as ptxas has it") {
  CHECK(module_error(".global .b8 x[1] = {1, 2};") == "2; fatal   : Greater number of elements in array initializer");
  CHECK(module_error(".global .b8 x[2][2] = {1, 2};") ==
        "2; fatal   : Greater number of elements in array initializer");
  CHECK(module_error(".global .v2 .b8 x[2] = {{1, 2}, {3}};") ==
        "2; fatal   : Incorrect number of elements in vector initializer");
  CHECK(module_error(".global .b8 x = {1};") == "2; fatal   : Initial value type mismatch");
  CHECK(module_error(".global .b8 x[2] = 1;") == "2; fatal   : Initial value type mismatch");
  CHECK(module_error(".global .b8 x[2] = {1,};") == "2; fatal   : Parsing error near '}': syntax error");
}

TEST_CASE("addresses in initial values") {
  const Module module = module_of(
      ".global .b8 x[9]; .func f;\n"
      ".global .u64 p[4] = {x, generic(x), x+4-1, generic(x+2)+8};\n"
      ".global .u64 g = f;\n"
      ".global .u8 bytes[5] = {7, 0XFF(generic(x)), 0xFF00(x+3), 0xFF00000000000000(x), 9};\n");
  const std::vector<Relocation>& pointers = module.variable("p")->relocations;
  REQUIRE(pointers.size() == 4);
  CHECK(pointers[0].symbol == "x");
  CHECK_FALSE(pointers[0].generic);
  CHECK(pointers[0].byte == -1);
  CHECK(pointers[0].width == 8);
  CHECK(pointers[1].generic);
  CHECK(pointers[1].offset == 8);
  CHECK(pointers[2].addend == 3);
  CHECK(pointers[3].addend == 10);
  CHECK(module.variable("p")->data.size() == 32);
  CHECK(module.variable("g")->relocations.at(0).symbol == "f");
  const Variable& bytes = *module.variable("bytes");
  CHECK(bytes.data == Bytes{7, 0, 0, 0, 9});
  REQUIRE(bytes.relocations.size() == 3);
  CHECK(bytes.relocations[0].generic);
  CHECK(bytes.relocations[0].byte == 0);
  CHECK(bytes.relocations[0].offset == 1);
  CHECK(bytes.relocations[0].width == 1);
  CHECK(bytes.relocations[1].byte == 1);
  CHECK(bytes.relocations[1].addend == 3);
  CHECK(bytes.relocations[2].byte == 7);
  CHECK(module_error(".global .u64 p = nowhere;") == "2; error   : Invalid initial value symbol 'nowhere'");
  CHECK(module_error(".global .b8 x; .global .u8 p = x;") == "2; fatal   : Initial value type mismatch");
  CHECK(module_error(".global .b8 x; .global .u8 p = 3(x);") == "2; error   : Invalid mask in initial value");
}

TEST_CASE("a declaration of a variable makes room for its definition") {
  const Module module = module_of(".extern .global .b32 x; .global .u64 p = x; .global .b32 x = 5;");
  CHECK(module.variables.size() == 2);
  CHECK(module.variable("x")->data.size() == 4);
  CHECK(module.variable("x")->linkage == Linkage::internal);
  CHECK(module_error(".global .b32 x; .global .b32 x;") == "2; error   : Duplicate definition of variable 'x'");
  CHECK(module_error(".func x; .global .b32 x;") == "2; error   : Duplicate definition of variable 'x'");
}

TEST_CASE("absurd sizes are refused") {
  CHECK(module_error(".global .b8 x[1152921504606846976];") == "2; error   : Array is too large");
  CHECK(module_error(".global .b8 x[4294967296][4294967296];") == "2; error   : Array is too large");
  CHECK(module_error(".global .b8 x[0];") == "2; error   : Non-external variable 'x' has incomplete type");
  CHECK(module_error(".global .b8 x[];") == "2; error   : Non-external variable 'x' has incomplete type");
  CHECK(module_error(".global .b8 x[3][];") == "2; error   : Array dimension expected");
  CHECK(module_error(".global .b8 x[-1];") == "2; error   : Integer constant expression expected");
  CHECK(module_error(".global .align 3 .b8 x;") == "2; error   : Alignment must be a power of two");
  CHECK(module_error(".global .b8 x[2][1000000000] = {{1}, {1}};") ==
        "2; error   : Initial values of 'x' lie too far apart");
}

}  // namespace ptx_variables_test
