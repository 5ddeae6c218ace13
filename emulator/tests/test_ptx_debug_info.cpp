#include "ptx_text.hpp"

namespace ptx_debug_info_test {

using namespace kiln::emulator::ptx;

namespace {

constexpr const char* with_places =
    ".visible .entry k() {\n"
    "trap;\n"
    ".loc 1 22 3\n"
    ".loc 2 261 5, function_name $L__info_string0, inlined_at 1 22 3\n"
    ".loc 3 92 9, function_name $L__info_string1+0, inlined_at 2 261 5\n"
    "trap;\n"
    ".loc 1 22 3\n"
    "ret; }\n"
    ".func f { ret; }\n"
    ".file 1 \"/src/a.cu\"\n"
    ".file 2 \"/src/b.h\", 1700000000, 12\n"
    ".section .debug_abbrev { .b8 1, 2 /* } */ }\n"
    ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,51\n.b8 102,0\n$L__info_string1:\n.b8 103,0,-1,0x3\n\n}\n";

}  // namespace

TEST_CASE("instructions know their place in the source") {
  const Module module = module_of(with_places);
  CHECK(module.files.at(1) == "/src/a.cu");
  CHECK(module.files.at(2) == "/src/b.h");
  REQUIRE(module.locations.size() == 3);
  const std::vector<Instruction>& instructions = kernel(module).instructions;
  CHECK(instructions[0].location == -1);
  REQUIRE(instructions[1].location == 2);
  const Location& inner = module.locations[2];
  CHECK(inner.file == 3);
  CHECK(inner.line == 92);
  CHECK(inner.column == 9);
  CHECK(inner.function == "g");
  REQUIRE(inner.inlined_at == 1);
  CHECK(module.locations[1].function == "_Z3f");
  REQUIRE(module.locations[1].inlined_at == 0);
  CHECK(module.locations[0].inlined_at == -1);
  CHECK(module.locations[0].function.empty());
  CHECK(instructions[2].location == 0);
  CHECK(module.function("f")->instructions[0].location == -1);
}

TEST_CASE("a place that was never told by itself is in the table too") {
  const Module module = module_of(".func f { .loc 2 5 1, function_name x, inlined_at 1 9 3\n ret; }");
  REQUIRE(module.locations.size() == 2);
  CHECK(module.locations[1].inlined_at == 0);
  CHECK(module.locations[0].line == 9);
  CHECK(module.locations[1].function.empty());
}

TEST_CASE("names of inlined functions survive a move of the module") {
  Module module = module_of(with_places);
  const Module moved = std::move(module);
  CHECK(moved.locations[1].function == "_Z3f");
}

}  // namespace ptx_debug_info_test
