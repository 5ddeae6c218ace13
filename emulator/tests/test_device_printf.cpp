#include "emulator/instructions/device_runtime/builtin.hpp"
#include "run_ptx.hpp"
#include "written_to.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace device_printf_test {

using namespace kiln::emulator;
using kiln::test::written_to;

namespace {

std::string string_variable(const std::string& name, const std::string& text) {
  std::string bytes;
  for (const char c : text) bytes += std::to_string(static_cast<unsigned char>(c)) + ", ";
  return ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {" + bytes + "0};\n";
}

constexpr const char* externs =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 s);\n.extern .func free(.param .b64 p);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 u, .param .b64 s);\n";

// The body of a kernel with a parameter %out (u64 each).
std::string kernel(const std::string& body, const std::string& variables = "") {
  return ptx_module(externs + variables +
                    ".visible .entry k(.param .u64 p_out)\n{ .reg .b64 %out, %x, %d<20>; .reg .b32 %i, %r<9>;\n"
                    ".reg .pred %p<5>; mov.u32 %i, %tid.x; ld.param.u64 %out, [p_out]; mul.wide.u32 %x, %i, 8;\n"
                    "add.u64 %x, %x, %out;\n" +
                    body + "\nret; }\n");
}

struct Printed {
  std::string text;
  std::int64_t result = 0;
};

// printf of one thread; `stores` put the arguments at [%d1 + offset].
Printed printed(const std::string& format, const std::string& stores) {
  TestModule module(kernel(
      ".local .align 8 .b8 args[64];\nmov.u64 %d1, args; cvta.local.u64 %d1, %d1;\n" + stores +
          "\nmov.u64 %d2, format; cvta.global.u64 %d2, %d2;\n{ .param .b64 a; .param .b64 b; .param .b32 r;\n"
          "st.param.b64 [a], %d2; st.param.b64 [b], %d1; call.uni (r), vprintf, (a, b); ld.param.b32 %r1, [r]; }\n"
          "cvt.s64.s32 %d3, %r1; st.global.u64 [%out], %d3;",
      string_variable("format", format) + string_variable("text", "word")));
  Buffer<std::int64_t> out({0});
  Printed made;
  made.text = written_to(STDOUT_FILENO, [&] {
    const LaunchOutcome outcome = module.launch("k", {1}, {1}, out.address());
    REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  });
  made.result = out.values()[0];
  return made;
}

const std::string text_at_0 = "mov.u64 %d5, text; cvta.global.u64 %d5, %d5; st.u64 [%d1], %d5;";

}  // namespace

TEST_CASE("emulator printf: every conversion, with flags, widths and precisions") {
  CHECK(printed("no conversion 100%%\n", "").text == "no conversion 100%\n");
  CHECK(printed("%d|%i|%u", "st.u32 [%d1], -5; st.u32 [%d1+4], 6; st.u32 [%d1+8], -1;").text == "-5|6|4294967295");
  CHECK(
      printed("%x|%X|%o|%#x", "st.u32 [%d1], 255; st.u32 [%d1+4], 255; st.u32 [%d1+8], 8; st.u32 [%d1+12], 16;").text ==
      "ff|FF|10|0x10");
  CHECK(printed("%5d|%-5d|%05d|%+d|% d",
                "st.u32 [%d1], 42; st.u32 [%d1+4], 42; st.u32 [%d1+8], 42; st.u32 [%d1+12], 42; st.u32 [%d1+16], 42;")
            .text == "   42|42   |00042|+42| 42");
  CHECK(printed("%*d|%-*d|%.*d",
                "st.u32 [%d1], 4; st.u32 [%d1+4], 7; st.u32 [%d1+8], -4; st.u32 [%d1+12], 7;\n"
                "st.u32 [%d1+16], 3; st.u32 [%d1+20], 7;")
            .text == "   7|7   |007");
  CHECK(printed("%lld|%lx|%llu", "st.u64 [%d1], -5; st.u64 [%d1+8], 0x123456789A; st.u64 [%d1+16], -1;").text ==
        "-5|123456789a|18446744073709551615");
  CHECK(printed("%hd|%hhu|%hx", "st.u32 [%d1], 0x18000; st.u32 [%d1+4], 0x1FF; st.u32 [%d1+8], 0x12345;").text ==
        "-32768|255|2345");
  CHECK(printed("%f|%.2e|%g",
                "st.f64 [%d1], 0d3FF8000000000000; st.f64 [%d1+8], 0d40F86A0000000000;\n"
                "st.f64 [%d1+16], 0d3FB999999999999A;")
            .text == "1.500000|1.00e+05|0.1");
  CHECK(printed("%a|%G|%8.3F|",
                "st.f64 [%d1], 0d3FF8000000000000; st.f64 [%d1+8], 0d7FF0000000000000;\n"
                "st.f64 [%d1+16], 0dC000000000000000;")
            .text == "0x1.8p+0|INF|  -2.000|");
  CHECK(printed("%s|%c|%p", text_at_0 + "st.u32 [%d1+8], 65; st.u64 [%d1+16], 0x1234;").text == "word|A|0x1234");
  CHECK(printed("%6s|%-6s|%.2s", text_at_0 + "st.u64 [%d1+8], %d5; st.u64 [%d1+16], %d5;").text == "  word|word  |wo");
  CHECK(printed("%s", "st.u64 [%d1], 0;").text == "(null)");
}

TEST_CASE("emulator printf: arguments are aligned as they are packed; the result is their number") {
  const Printed mixed = printed("%d %f %d %lld",
                                "st.u32 [%d1], 1; st.f64 [%d1+8], 0d4000000000000000;\n"
                                "st.u32 [%d1+16], 3; st.u64 [%d1+24], 4;");
  CHECK(mixed.text == "1 2.000000 3 4");
  CHECK(mixed.result == 4);
  CHECK(printed("plain", "").result == 0);
}

TEST_CASE("emulator printf: what is no conversion is printed as it stands") {
  CHECK(printed("%", "").text == "%");
  CHECK(printed("%5y", "").text == "%5y");
}

TEST_CASE("emulator assert: the message is CUDA's, and the launch fails") {
  TestModule module(
      kernel("setp.lt.u32 %p1, %i, 2; @%p1 bra END;\nmov.u64 %d1, m; cvta.global.u64 %d1, %d1; mov.u64 %d2, f;\n"
             "cvta.global.u64 %d2, %d2; mov.u64 %d3, u; cvta.global.u64 %d3, %d3;\n"
             "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
             "st.param.b64 [a], %d1; st.param.b64 [b], %d2; st.param.b32 [c], 12; st.param.b64 [d], %d3; st.param.b64 "
             "[e], 1;\n"
             "call.uni __assertfail, (a, b, c, d, e); }\nEND:",
             string_variable("m", "i < 2") + string_variable("f", "k.cu") + string_variable("u", "void k(int)")));
  LaunchOutcome outcome;
  const std::string text = written_to(STDERR_FILENO, [&] { outcome = module.launch("k", {1}, {4}, std::uint64_t{0}); });
  CHECK(outcome.result == CUDA_ERROR_ASSERT);
  CHECK(text.find("k.cu:12: void k(int): block: [0,0,0], thread: [2,0,0] Assertion `i < 2` failed.\n"
                  "k.cu:12: void k(int): block: [0,0,0], thread: [3,0,0] Assertion `i < 2` failed.\n") !=
        std::string::npos);
}

TEST_CASE("emulator malloc: each thread has its own block; a second free is found") {
  const std::string call_malloc =
      "{ .param .b64 s; .param .b64 r; st.param.b64 [s], 24; call.uni (r), malloc, (s); ld.param.b64 %d1, [r]; }\n";
  const std::string call_free = "{ .param .b64 p; st.param.b64 [p], %d1; call.uni free, (p); }\n";
  TestModule fine(kernel(call_malloc + "st.u64 [%d1+16], %x; ld.u64 %d2, [%d1+16]; st.global.u64 [%x], %d2;\n" +
                         call_free + "mov.u64 %d1, 0;\n" + call_free));
  Buffer<std::uint64_t> out(std::vector<std::uint64_t>(64));
  const LaunchOutcome outcome = fine.launch("k", {1}, {64}, out.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  for (std::size_t i = 0; i < 64; ++i) CHECK(out.values()[i] == out.address() + 8 * i);

  const auto report = [&](const std::string& body) {
    TestModule module(kernel(call_malloc + body));
    const LaunchOutcome failed = module.launch("k", {1}, {1}, out.address());
    CHECK(failed.result == CUDA_ERROR_ILLEGAL_ADDRESS);
    return failed.report;
  };
  CHECK(report(call_free + call_free).find("for the second time") != std::string::npos);
  CHECK(report("add.u64 %d1, %d1, 8;\n" + call_free).find("is not the address of a block") != std::string::npos);
  CHECK(report("st.u64 [%d1+24], 0;").find("0 bytes past the end of the block of 24 bytes") != std::string::npos);
  CHECK(report(call_free + "ld.u64 %d2, [%d1];").find("in freed memory") != std::string::npos);
}

}  // namespace device_printf_test
