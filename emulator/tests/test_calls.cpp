#include "emulator/core/call_error.hpp"
#include "run_ptx.hpp"

#include <doctest/doctest.h>

namespace kiln::emulator::calls_test {
namespace {

const std::string kernel_head = R"(
.visible .entry k(.param .u64 p, .param .u32 n) {
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  mov.u32 %r1, %tid.x; ld.param.u64 %d1, [p]; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
  ld.param.u32 %r2, [n];
)";
const std::string kernel_tail = "\n st.global.u32 [%d1], %r9; ret; }\n";

LaunchOutcome launch(const std::string& functions, const std::string& body, std::uint32_t n,
                     std::vector<std::uint32_t>& out) {
  TestModule module(ptx_module(functions + kernel_head + body + kernel_tail));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(32));
  const LaunchOutcome outcome = module.launch("k", {1}, {32}, memory.address(), n);
  out = memory.values();
  return outcome;
}

std::vector<std::uint32_t> run(const std::string& functions, const std::string& body, std::uint32_t n = 0) {
  std::vector<std::uint32_t> out;
  const LaunchOutcome outcome = launch(functions, body, n, out);
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out;
}

// int name(int x) { return <body in %r1, %r2>; }
std::string function(const std::string& name, const std::string& body) {
  return ".func (.param .b32 res) " + name + "(.param .b32 arg) {\n.reg .b32 %r<9>; .reg .pred %p<3>;\n" +
         "ld.param.b32 %r1, [arg];\n" + body + "\nst.param.b32 [res+0], %r2; ret; }\n";
}

std::string call(const std::string& callee, const std::string& argument, const std::string& result,
                 const std::string& prototype = {}) {
  return "{ .param .b32 a; .param .b32 r;\n st.param.b32 [a+0], " + argument + ";\n" +
         (prototype.empty() ? "" : "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n") + "call (r), " +
         callee + ", (a)" + (prototype.empty() ? "" : ", proto") + ";\n ld.param.b32 " + result + ", [r+0]; }\n";
}

const std::string twice = function("twice", "add.u32 %r2, %r1, %r1;");
const std::string thrice = function("thrice", "mul.lo.u32 %r2, %r1, 3;");

std::string recursive(const std::string& name) {
  return ".func (.param .b32 res) " + name + "(.param .b32 arg);\n" +
         function(name, "mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra END;\n sub.u32 %r3, %r1, 1;\n" +
                            call(name, "%r3", "%r4") + "add.u32 %r2, %r4, %r1;\nEND:");
}

}  // namespace

TEST_CASE("a function is called, also by some lanes only") {
  CHECK(run(twice, call("twice", "%r1", "%r9")).at(13) == 26);
  const auto out = run(twice + thrice, "setp.lt.u32 %p1, %r1, 16; @%p1 bra A;\n" + call("twice", "%r1", "%r9") +
                                           "bra.uni B;\nA:\n" + call("thrice", "%r1", "%r9") +
                                           "B: activemask.b32 %r3; setp.ne.u32 %p2, %r3, -1; @%p2 mov.u32 %r9, 999;");
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i < 16 ? 3 * i : 2 * i));
}

TEST_CASE("a guarded call is made by lanes that meet the others behind it") {
  const auto out =
      run(twice,
          "mov.u32 %r9, 5; setp.lt.u32 %p1, %r1, 3;\n{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1;\n"
          "@%p1 call (r), twice, (a);\n@%p1 ld.param.b32 %r9, [r]; }\nactivemask.b32 %r3; popc.b32 %r3, %r3;\n"
          "mad.lo.u32 %r9, %r3, 100, %r9;");
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == 3200 + (i < 3 ? 2 * i : 5));
}

TEST_CASE("arguments and results in registers, and numbers") {
  const std::string add =
      ".func (.reg .b32 %res) add3(.reg .b32 %x, .reg .b32 %y, .param .b32 z) {\n.reg .b32 %t;\n"
      "ld.param.b32 %t, [z]; add.u32 %res, %x, %y; add.u32 %res, %res, %t; ret; }\n";
  CHECK(run(add, "call (%r9), add3, (%r1, 100, %r2);", 7).at(4) == 111);
}

TEST_CASE("a recursion goes as deep for each lane as it wants") {
  const auto out = run(recursive("sum"), call("sum", "%r1", "%r9"));
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == i * (i + 1) / 2);
  CHECK(run(recursive("sum"), call("sum", "%r2", "%r9"), 400).at(31) == 400 * 401 / 2);
}

TEST_CASE("a recursion without end is stopped, and names its function") {
  const std::string endless = ".func (.param .b32 res) deep(.param .b32 arg);\n" +
                              function("deep", call("deep", "%r1", "%r3") + "add.u32 %r2, %r3, 1;");
  std::vector<std::uint32_t> out;
  const LaunchOutcome outcome = launch(endless, call("deep", "%r1", "%r9"), 0, out);
  CHECK(outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(outcome.report.find("calls deep at depth") != std::string::npos);
  CHECK(outcome.report.find("called from PTX line") != std::string::npos);
}

TEST_CASE("a larger stack makes a deeper recursion") {
  TestModule module(ptx_module(recursive("sum") + kernel_head + call("sum", "%r2", "%r9") + kernel_tail));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(32));
  LaunchRequest request = module.made("k", {1}, {32});
  TestModule::append(request.params, memory.address());
  TestModule::append(request.params, std::uint32_t{3000});
  CHECK(run_launch(request).result == CUDA_ERROR_ILLEGAL_ADDRESS);
  request.stack_limit = 1 << 20;
  CHECK(run_launch(request).result == CUDA_SUCCESS);
  CHECK(memory.values()[0] == 3000 * 3001 / 2);
}

TEST_CASE("functions are called by pointers, which may differ from lane to lane") {
  const auto out = run(twice + thrice,
                       "mov.u64 %d3, twice; mov.u64 %d4, thrice; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0;\n"
                       "selp.b64 %d5, %d3, %d4, %p1;\n" +
                           call("%d5", "%r1", "%r9", "proto"));
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i % 2 == 0 ? 2 * i : 3 * i));
}

TEST_CASE("a table of functions in memory") {
  const auto out = run(twice + thrice + ".global .u64 table[2] = {twice, thrice};\n",
                       "mov.u64 %d3, table; and.b32 %r3, %r1, 1; mul.wide.u32 %d4, %r3, 8; add.u64 %d3, %d3, %d4;\n"
                       "ld.global.u64 %d5, [%d3];\n" +
                           call("%d5", "%r1", "%r9", "proto"));
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i % 2 == 0 ? 2 * i : 3 * i));
}

TEST_CASE("a call to where no function is, is a fault") {
  std::vector<std::uint32_t> out;
  const LaunchOutcome outcome = launch(twice, "mov.u64 %d5, 64;\n" + call("%d5", "%r1", "%r9", "proto"), 0, out);
  CHECK(outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(outcome.report.find("calls a function at 0x40") != std::string::npos);
}

TEST_CASE("an alias is the function that it names") {
  CHECK(run(twice + ".func (.param .b32 res) other(.param .b32 arg);\n.alias other, twice;\n",
            call("other", "%r1", "%r9"))
            .at(5) == 10);
}

TEST_CASE("a function that nobody defines is an error of loading") {
  const std::string extern_function = ".extern .func (.param .b32 res) absent(.param .b32 arg);\n";
  CHECK_THROWS_WITH_AS(run(extern_function, call("absent", "%r1", "%r9")),
                       "ptxas fatal   : Unresolved extern function 'absent'", CallError);
  CHECK(run(extern_function, "mov.u32 %r9, 3;").at(0) == 3);  // as long as nobody calls it
}

TEST_CASE("locals belong to each lane's own frame") {
  const std::string keeper =
      ".func (.param .b32 res) keep(.param .b32 arg) {\n.local .align 4 .b8 room[16]; .reg .b32 %r<9>; .reg .b64 "
      "%d<4>;\n"
      ".reg .pred %p<2>; ld.param.b32 %r1, [arg]; st.local.u32 [room+4], %r1; mov.u32 %r2, 0;\n"
      "setp.eq.u32 %p1, %r1, 0; @%p1 bra END; sub.u32 %r3, %r1, 1;\n" +
      call("keep", "%r3", "%r2") +
      "END: mov.u64 %d1, room; cvta.local.u64 %d2, %d1; ld.u32 %r4, [%d2+4]; add.u32 %r2, %r2, %r4;\n"
      "st.param.b32 [res], %r2; ret; }\n";
  const auto out = run(".func (.param .b32 res) keep(.param .b32 arg);\n" + keeper, call("keep", "%r1", "%r9"));
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == i * (i + 1) / 2);
}

TEST_CASE("alloca gives each lane what it asks for, until the function returns") {
  // Keeps its argument behind as many words, while it calls itself with one less.
  const std::string keeper =
      ".func (.param .b32 res) keep(.param .b32 arg) {\n.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<2>;\n"
      "ld.param.b32 %r1, [arg]; mov.u32 %r2, 0; mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d1, 4;\n"
      "alloca.u64 %d2, %d1, 16; add.u64 %d3, %d2, %d1; st.local.u32 [%d3+-4], %r1;\n"
      "setp.eq.u32 %p1, %r1, 0; @%p1 bra END; sub.u32 %r3, %r1, 1;\n" +
      call("keep", "%r3", "%r2") +
      "END: ld.local.u32 %r4, [%d3+-4]; add.u32 %r2, %r2, %r4; st.param.b32 [res], %r2; ret; }\n";
  const auto out = run(".func (.param .b32 res) keep(.param .b32 arg);\n" + keeper, call("keep", "%r1", "%r9"));
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == i * (i + 1) / 2);
}

TEST_CASE("a stack is restored, has an end, and what lies behind it is out of bounds") {
  const std::string head = "mov.u32 %r9, 0; mov.u64 %d3, 4096;\n";
  CHECK(run("", head +
                    "L: stacksave.u64 %d4; alloca.u64 %d5, %d3; st.local.u32 [%d5+4092], %r9; stackrestore.u64 %d4;\n"
                    "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 100; @%p1 bra L;")
            .at(3) == 100);
  std::vector<std::uint32_t> out;
  const auto report = [&](const std::string& body) { return launch("", head + body, 0, out).report; };
  CHECK(report("L: alloca.u64 %d5, %d3; bra L;").find("CU_LIMIT_STACK_SIZE") != std::string::npos);
  CHECK(report("alloca.u64 %d5, %d3; st.local.u32 [%d5+4096], %r9;").find("in local memory") != std::string::npos);
  CHECK(report("stackrestore.u64 %d3;").find("did not save") != std::string::npos);
}

TEST_CASE("a kernel that calls a function of the device runtime that is not there loads, and stops where it does") {
  std::vector<std::uint32_t> out;
  const LaunchOutcome outcome = launch(".extern .func (.param .b32 res) cudaGraphLaunch(.param .b32 arg);\n",
                                       call("cudaGraphLaunch", "%r1", "%r9"), 0, out);
  CHECK(outcome.result == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(outcome.report.find("the function cudaGraphLaunch of the device runtime") != std::string::npos);
}

}  // namespace kiln::emulator::calls_test
