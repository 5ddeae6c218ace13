#include "emulator/lowering/image.hpp"
#include "ptx_text.hpp"

#include <pthread.h>

namespace ptx_errors_test {

using namespace kiln::emulator::ptx;

namespace {

std::string text_error(const std::string& text) {
  return error_of([&] { parse(text); });
}

std::string repeated(std::size_t count, const std::string& text) {
  std::string all;
  while (count-- > 0) all += text;
  return all;
}

// Of everything, so that each cut of it ends in another place of the grammar.
constexpr const char* whole_text =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".file 1 \"a.cu\"\n"
    ".global .u32 u; .global .align 4 .b8 t[2][2] = {{1, 0xFF(u)}, {2, 3}};\n"
    ".func (.param .b32 r) f(.param .b64 x) .noreturn;\n"
    ".visible .entry k(.param .align 8 .b8 p[16]) .maxntid 1, 2, 3 {\n"
    ".reg .b32 %r<9>; .reg .v4 .f32 %v; .reg .pred %p; .reg .b64 %rd;\n"
    ".loc 1 2 3, function_name $n, inlined_at 1 2 3\n"
    "L: @!%p ld.global.v4.f32 %v, [%rd+(4*3)];\n"
    "{ .param .b32 o; call.uni (o), f, (p); }\n"
    "table: .branchtargets L, L; brx.idx %r1, table;\n"
    "proto: .callprototype (.param .b32 _) _ (); call (_), %rd, (), proto;\n"
    "mov.b32 %r2, 1 ? 0x2U : -0.5; tex.1d.v4.f32.f32 {%v.x, _, %v.z, %v.w}, [%rd, {%v.y}]; /* end */\n"
    "}\n.section .debug_str { $n: .b8 65, 0 }\n// done";

}  // namespace

TEST_CASE("an error reads as ptxas writes it, with the line's text") {
  try {
    module_of(".visible .entry k() {\n.reg .b32 %r<3>;\n\tadd.s32 \t%r1 %r2, 1;\nret;\n}");
    FAIL("no error");
  } catch (const ParseError& error) {
    CHECK(error.line() == 4);
    CHECK(std::string(error.what()) ==
          "ptxas application ptx input, line 4; fatal   : Parsing error near '%r2': syntax error\n"
          "    add.s32  %r1 %r2, 1;");
  }
}

TEST_CASE("a text must begin as PTX does") {
  CHECK(text_error("") == "1; fatal   : Missing .version directive at start of file 'application ptx input'");
  CHECK(text_error("\n.target sm_90") ==
        "2; fatal   : Missing .version directive at start of file 'application ptx input'");
  CHECK(text_error(".version 0.9") == "1; fatal   : Unsupported .version 0.9");
  for (const char* const version : {"8.9", "9.1", "99.0"})
    CHECK(text_error(".version " + std::string(version)).empty());
  CHECK(text_error(".version 9") == "1; fatal   : Parsing error near '': syntax error");
  CHECK(text_error(".version 9.0\n.target sm_x") == "2; fatal   : Unsupported .target 'sm_x'");
  CHECK(text_error(".version 9.0\n.target sm_9000") == "2; fatal   : Unsupported .target 'sm_9000'");
  CHECK(module_error(".address_size 32") == "2; error   : Unsupported .address_size 32");
}

TEST_CASE("what is no PTX is told where it stands") {
  CHECK(module_error(".foo x;") == "2; fatal   : Parsing error near '.foo': syntax error");
  CHECK(module_error("ret;") == "2; fatal   : Parsing error near 'ret': syntax error");
  CHECK(module_error("}") == "2; fatal   : Parsing error near '}': syntax error");
  CHECK(module_error(".global .foo x;") == "2; fatal   : Parsing error near '.foo': syntax error");
  CHECK(module_error(".entry (.param .b32 a) { ret; }") == "2; fatal   : Parsing error near '(': syntax error");
  CHECK(module_error(".entry k() .foo 3 { ret; }") == "2; fatal   : Parsing error near '.foo': syntax error");
  CHECK(module_error("/* never") == "2; fatal   : Parsing error near '': unexpected EOF while scanning");
  CHECK(kernel_error("bar.sync 0 ret;") == "2; fatal   : Parsing error near 'ret': syntax error");
  CHECK(kernel_error(".foo 3;") == "2; fatal   : Parsing error near '.foo': syntax error");
  CHECK(kernel_error("mov.b32 %r1, 08;") == "2; fatal   : Parsing error near '08': syntax error");
  CHECK(kernel_error("bra 5;") == "2; error   : Label expected for argument 0 of instruction 'bra'");
  CHECK(kernel_error("ret;\nld.u32 %r1, [nope];") == "3; error   : Unknown symbol 'nope'");
  CHECK(kernel_error("ld.u32 %r1, [%tid.x];") == "2; error   : Address expression expected");
  CHECK(kernel_error("mov.u32 %r1, %tid.q;") == "2; fatal   : Parsing error near ';': syntax error");
}

TEST_CASE("a text that ends early is an error, wherever that is") {
  const std::string text = whole_text;
  REQUIRE(text_error(text).empty());
  const std::size_t kernel = text.find(".visible"), behind = text.find("}\n.section");
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string error = text_error(text.substr(0, size));
    // Between two declarations a text is whole.
    if (size > kernel && size <= behind) CHECK_MESSAGE(!error.empty(), text.substr(0, size));
  }
}

// In a thread with half a megabyte of stack, as programs give to theirs.
template <class Action>
void on_small_stack(Action action) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, 512 * 1024) == 0);
  const auto run = [](void* given) -> void* {
    (*static_cast<Action*>(given))();
    return nullptr;
  };
  pthread_t thread = {};
  REQUIRE(pthread_create(&thread, &attributes, run, &action) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  (void)pthread_attr_destroy(&attributes);
}

void check_nests() {
  constexpr std::size_t many = 200'000;
  CHECK(kernel_error(repeated(many, "{")) == "2; error   : Blocks are nested too deeply");
  CHECK(kernel_error("mov.b32 %r1, " + repeated(many, "(")) == "2; error   : Constant expression is nested too deeply");
  CHECK(kernel_error("mov.b32 %r1, " + repeated(many, "-")) == "2; error   : Constant expression is nested too deeply");
  CHECK(kernel_error("mov.b32 %r1, " + repeated(many, "1?")) ==
        "2; error   : Constant expression is nested too deeply");
  CHECK(kernel_error("mov.b32 %r1, " + repeated(many, "!")) == "2; error   : Constant expression is nested too deeply");
  CHECK(kernel_error("mov.b32 %r1, " + repeated(many, "{")) == "2; error   : Operand is nested too deeply");
  CHECK(kernel_error("ld.b32 %r1, " + repeated(many, "[")) == "2; error   : Operand is nested too deeply");
  CHECK(kernel_error("x " + repeated(many, "_|")) == "2; fatal   : Parsing error near '|': syntax error");
  CHECK(module_error(".global .b8 x" + repeated(many, "[1]") + "=" + repeated(many, "{")) ==
        "2; error   : Too many array dimensions");
  CHECK(module_error(".section .x " + repeated(many, "{")) == "2; fatal   : Parsing error near '': syntax error");
}

TEST_CASE("what nests without end") { on_small_stack(check_nests); }

TEST_CASE("functions that call each other in a long chain, and around") {
  constexpr int many = 10'000;
  std::string chain = ".version 9.0 .target sm_90 .address_size 64\n.func f0();\n";
  for (int i = 1; i < many; ++i)
    chain += ".func f" + std::to_string(i) + "() { call f" + std::to_string(i - 1) + "; ret; }\n";
  chain += ".func f0() { call f" + std::to_string(many - 1) + "; ret; }\n.visible .entry k() { call f0; ret; }\n";
  on_small_stack([&] { CHECK(kiln::emulator::Image::load(parse(chain), 0, 90)->kernel("k") != nullptr); });
}

TEST_CASE("endless names and lines are cut in messages") {
  const std::string error = kernel_error("mov.b32 %r1, [" + std::string(100'000, 'x') + "];");
  CHECK(error.size() < 200);
  CHECK(error.find("xxx...'") != std::string::npos);
}

}  // namespace ptx_errors_test
