// Texts of a newer PTX than the parser knows: what it cannot read stops the kernel that has it, and no other.
#include "ptx_text.hpp"
#include "run_ptx.hpp"

#include <string>
#include <vector>

namespace kiln::emulator::ptx_newer_test {
namespace {

constexpr const char* newer_head = ".version 9.9\n.target sm_90\n.address_size 64\n";

std::string storing(const std::string& kernel, int value, const std::string& more = "") {
  return ".visible .entry " + kernel + "(.param .u64 p) {\n.reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .pred %q<3>;\n" +
         "ld.param.u64 %rd1, [p];\n" + more + "\nst.global.u32 [%rd1], " + std::to_string(value) + ";\nret;\n}\n";
}

// Of a kernel "new" among others.
std::string report_of(const std::string& statements) {
  TestModule module(newer_head + statements);
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(1));
  const LaunchOutcome before = module.launch("before", {1}, {32}, out.address());
  CHECK_MESSAGE(before.result == CUDA_SUCCESS, before.report);
  CHECK(out.values() == std::vector<std::uint32_t>{1});
  const LaunchOutcome stopped = module.launch("new", {1}, {32}, out.address());
  CHECK(stopped.result == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(out.values() == std::vector<std::uint32_t>{1});
  const LaunchOutcome after = module.launch("after", {1}, {32}, out.address());
  CHECK_MESSAGE(after.result == CUDA_SUCCESS, after.report);
  CHECK(out.values() == std::vector<std::uint32_t>{3});
  return stopped.report.substr(stopped.report.find("the emulator"));
}

std::string among_others(const std::string& statements) {
  return report_of(storing("before", 1) + statements + storing("after", 3));
}

std::string in_kernel(const std::string& more) { return among_others(storing("new", 2, more)); }

bool begins(const std::string& text, const std::string& start) { return text.substr(0, start.size()) == start; }

}  // namespace

#define CHECK_BEGINS(text, start)               \
  do {                                          \
    const std::string given = text;             \
    CHECK_MESSAGE(begins(given, start), given); \
  } while (false)

TEST_CASE("an instruction that nobody knows stops its kernel, by its line") {
  const std::string all = "the emulator does not do all of PTX 9.9 (it knows 9.0): ";
  CHECK_BEGINS(in_kernel("frobnicate.sync.b32 %r1, %r2;"),
               all +
                   "Not a name of any known instruction: 'frobnicate'\n"
                   "  at PTX line 14 of new: frobnicate.sync.b32 %r1, %r2;");
  CHECK_BEGINS(in_kernel("frob.b32 {%r1, [%r2]} => (%r3);"), all + "Parsing error near '=': syntax error");
  CHECK_BEGINS(in_kernel("add.s1024 %r1, %r2, %r3;"),
               all + "Unexpected instruction types specified for 'add': 'add.s1024'");
  CHECK_BEGINS(in_kernel("mov.u32 %r1, %new_register;"), all + "Unknown symbol '%new_register'");
  CHECK_BEGINS(in_kernel("@%q1 ld.global.u32 %r1, [%rd1 @ 4];"), all + "Parsing error near '@': syntax error");
  CHECK_BEGINS(in_kernel("add.u32 %r1, %r2;"), all + "Arguments mismatch for instruction 'add'");
}

TEST_CASE("what is known of a newer text runs, and what is not only where a thread comes there") {
  TestModule module(newer_head + storing("k", 2, "bra over;\nfrobnicate {%r1} => %r2;\nover:"));
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(1));
  const LaunchOutcome outcome = module.launch("k", {1}, {32}, out.address());
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(out.values() == std::vector<std::uint32_t>{2});
}

TEST_CASE("declarations that cannot be read stop the whole function") {
  const std::string all = "the emulator does not do all of PTX 9.9 (it knows 9.0): ";
  CHECK_BEGINS(in_kernel(".reg .b256 %wide<4>;"),
               all + "Parsing error near '.b256': syntax error\n  at PTX line 14 of new: .reg .b256 %wide<4>;");
  CHECK_BEGINS(in_kernel("{ .newblock { 3, \"}\" } }"), all + "Parsing error near '.newblock': syntax error");
  CHECK_BEGINS(in_kernel("mov.b64 %rd2, nowhere;"), all + "Unknown symbol 'nowhere'");
  CHECK_BEGINS(among_others(".visible .entry new(.param .u64 p) .newlimit 3, 4 { ret; }\n"),
               all + "Parsing error near '.newlimit': syntax error");
  CHECK_BEGINS(among_others(".visible .entry new(.param .b256 p) .maxntid 32 { ret; }\n"),
               all + "Parsing error near '.b256': syntax error");
  // Of a function: the kernel that calls it.
  CHECK_BEGINS(among_others(".func f(.param .b32 a) { .newly; ret; }\n" +
                            storing("new", 2, "{ .param .b32 a; st.param.b32 [a], 1; call f, (a); }")),
               all + "Parsing error near '.newly': syntax error");
  CHECK_BEGINS(among_others(".func .newattribute(3) f(.param .b32 a) { ret; }\n" +
                            storing("new", 2, "{ .param .b32 a; st.param.b32 [a], 1; call f, (a); }")),
               all);
  CHECK_BEGINS(among_others(".global .b256 wide = {1, 2};\n" + storing("new", 2, "mov.u64 %rd2, wide;")),
               all + "Unknown symbol 'wide'");
}

TEST_CASE("statements of a module that nobody knows are passed over, and said") {
  const ptx::Module module = ptx::parse(newer_head + std::string(".newpragma on\n.newtable t { 1, 2, { 3 } }\n") +
                                        ".newdecl .b32 x, y;\n.visible .entry k() { ret; }\n");
  REQUIRE(module.unread.size() == 3);
  CHECK(module.unread[0].find("line 4; fatal   : Parsing error near '.newpragma'") != std::string::npos);
  CHECK(module.unread[1].find("'.newtable'") != std::string::npos);
  CHECK(module.unread[2].find("'.newdecl'") != std::string::npos);
  REQUIRE(module.function("k") != nullptr);
  CHECK(module.function("k")->unread.empty());
}

TEST_CASE("a newer text that ends early is an error all the same, and so is what is no PTX") {
  const auto error = [](const std::string& text) { return ptx::error_of([&] { ptx::parse(newer_head + text); }); };
  CHECK(error("hello") == "4; fatal   : Parsing error near 'hello': syntax error");
  CHECK(error(".visible .entry k() { frob {").substr(0, 2) == "4;");
  CHECK(error(".visible .entry k() { .newblock {").substr(0, 2) == "4;");
  CHECK(error(".visible .entry k(.param .b256 x").substr(0, 2) == "4;");
  CHECK(error(".visible .entry k() { ret; ").substr(0, 2) == "4;");
  CHECK(error(".global .b256 x").substr(0, 2) == "4;");
}

TEST_CASE("nothing of an older text is passed over") {
  CHECK(ptx::module_error(".global .b256 x;") == "2; fatal   : Parsing error near '.b256': syntax error");
  CHECK(ptx::kernel_error("frob {%r1} => %r2;") == "2; fatal   : Parsing error near '=': syntax error");
}

}  // namespace kiln::emulator::ptx_newer_test
