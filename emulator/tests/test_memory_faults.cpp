#include "run_ptx.hpp"

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>

namespace memory_faults_test {

using namespace kiln::emulator;

namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// Runs a body with %a (a parameter) in one thread, which must stop it.
LaunchOutcome fault(const std::string& body, std::uint64_t a, const std::string& before = "") {
  TestModule module(ptx_module(before +
                               ".visible .entry k(.param .u64 p_a)\n{ .reg .b64 %a, %d<9>; .reg .b32 %r<9>;\n"
                               "ld.param.u64 %a, [p_a];\n" +
                               body + "\nret; }\n"));
  return module.launch("k", {1}, {1}, a);
}

#define CHECK_FAULT(outcome, code, text)                                           \
  do {                                                                             \
    const LaunchOutcome checked = outcome;                                         \
    CHECK(checked.result == code);                                                 \
    CHECK_MESSAGE(checked.report.find(text) != std::string::npos, checked.report); \
  } while (false)

constexpr CUresult illegal = CUDA_ERROR_ILLEGAL_ADDRESS;

}  // namespace

TEST_CASE("emulator faults: accesses outside of an allocation tell how far") {
  Buffer<char> buffer(std::vector<char>(4096));
  const std::uint64_t base = buffer.address();
  const std::string what = "the allocation of 4096 bytes at " + hex(base) + " (device memory)";
  CHECK_FAULT(fault("ld.global.u32 %r1, [%a];", base + 4108), illegal,
              "reads 4 bytes at " + hex(base + 4108) + ", 12 bytes past the end of " + what);
  CHECK_FAULT(fault("st.global.u64 [%a], 0;", base - 8), illegal,
              "writes 8 bytes at " + hex(base - 8) + ", 8 bytes before " + what);
  CHECK_FAULT(fault("atom.global.add.u32 %r1, [%a], 1;", base + 4096), illegal, "updates 4 bytes at ");
  Buffer<char> odd(std::vector<char>(10));
  CHECK_FAULT(fault("ld.global.u32 %r1, [%a];", odd.address() + 8), illegal,
              "beyond the end of the allocation of 10 bytes");
}

TEST_CASE("emulator faults: freed, null and foreign pointers are told apart") {
  std::uint64_t gone = 0;
  {
    Buffer<int> buffer({1, 2, 3});
    gone = buffer.address();
  }
  CHECK_FAULT(fault("ld.global.u32 %r1, [%a];", gone + 4), illegal,
              "in freed memory: 4 bytes into the allocation of 12 bytes");
  CHECK_FAULT(fault("ld.u32 %r1, [%a];", 0), illegal, "a null pointer");
  CHECK_FAULT(fault("ld.u32 %r1, [%a];", 16), illegal, "a null pointer + 16");
  CHECK_FAULT(fault("ld.u32 %r1, [%a];", std::uint64_t{1} << 44), illegal, ": no device memory is near");
}

TEST_CASE("emulator faults: a pointer of the host is said to be one, wherever the host has its memory") {
  static int variable = 0;
  int local = 0;
  const std::vector<int> heap(16), large(1 << 22);  // the large one has pages of its own
  for (const int* const pointer : std::initializer_list<const int*>{&variable, &local, heap.data(), large.data()})
    CHECK_FAULT(fault("st.u32 [%a], 1;", reinterpret_cast<std::uint64_t>(pointer)), illegal, ": a pointer of the host");
}

TEST_CASE("emulator faults: what is outside of an allocation has an index in elements of the access") {
  Buffer<int> buffer({1, 2, 3});
  CHECK_FAULT(fault("ld.global.u32 %r1, [%a];", buffer.address() + 20), illegal, ": index 5 in elements of 4 bytes");
  CHECK_FAULT(fault("ld.global.u8 %r1, [%a];", buffer.address() - 3), illegal, ": index -3 in elements of 1 byte");
}

TEST_CASE("emulator faults: addresses of another space") {
  CHECK_FAULT(fault("mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.global.u32 %r1, [%d1];", 0, ".shared .u32 s;\n"),
              illegal, "a generic address of shared memory, used as global memory");
  CHECK_FAULT(fault("mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.shared.u32 %r1, [%d1];", 0, ".shared .u32 s;\n"),
              illegal, "a generic address of shared memory, used as shared memory");
  CHECK_FAULT(fault("mov.u64 %d1, f; ld.u32 %r1, [%d1];", 0, ".func f() { ret; }\n"), illegal,
              "the address of a function");
  CHECK_FAULT(fault("mov.u64 %d1, p_a; cvta.param.u64 %d1, %d1; st.u32 [%d1], 1;", 0), illegal,
              "which kernels only read");
}

TEST_CASE("emulator faults: variables are named, constants are not written") {
  CHECK_FAULT(fault("ld.global.u32 %r1, [table+40];", 0, ".global .align 4 .u32 table[10];\n"), illegal,
              "0 bytes past the end of the variable table of 40 bytes");
  CHECK_FAULT(fault("mov.u64 %d1, c; cvta.const.u64 %d1, %d1; st.u32 [%d1+4], 1;", 0, ".const .align 4 .u32 c[4];\n"),
              illegal, "in the constant c of 16 bytes");
}

TEST_CASE("emulator faults: shared and local memory have ends") {
  CHECK_FAULT(fault("ld.shared.u32 %r1, [s+48];", 0, ".shared .align 4 .u32 s[10];\n"), illegal,
              "reads 4 bytes at 0x30 of shared memory, 8 bytes past the end of its 40 bytes");
  CHECK_FAULT(fault("mov.u32 %r1, 8; ld.shared.u32 %r1, [%r1];", 0), illegal, "the block has no shared memory");
  CHECK_FAULT(fault(".local .align 4 .u32 l[4];\nmov.u64 %d1, l; st.local.u32 [%d1+160], 0;", 0), illegal,
              "local memory");
}

TEST_CASE("emulator faults: an access outside of shared memory names the array that the address is made from") {
  const std::string arrays = ".shared .align 4 .u32 s[10];\n.shared .align 4 .u32 t[20];\n";
  const std::string both = "st.shared.u32 [s], 0; st.shared.u32 [t], 0; ";
  const auto with_both = [&](const std::string& body) { return fault(both + body, 0, arrays); };
  CHECK_FAULT(with_both("ld.shared.u32 %r1, [s+400];"), illegal,
              "280 bytes past the end of its 120 bytes; the address is that of the variable s of 40 bytes, 360 bytes "
              "past its end");
  CHECK_FAULT(with_both("mov.u32 %r1, %tid.x; mad.lo.s32 %r1, %r1, 4, 240; mov.u32 %r2, s; add.s32 %r3, %r2, %r1; "
                        "ld.shared.u32 %r1, [%r3+16];"),
              illegal, "that of the variable s of 40 bytes, 216 bytes past its end");
  CHECK_FAULT(with_both("mov.u32 %r1, t; add.s32 %r1, %r1, 160; ld.shared.u32 %r2, [%r1];"), illegal,
              "that of the variable t of 80 bytes, 80 bytes past its end");
  CHECK_FAULT(with_both("mov.u32 %r1, t; sub.s32 %r1, %r1, 48; ld.shared.u32 %r2, [%r1];"), illegal,
              "8 bytes before its beginning; the address is that of the variable t of 80 bytes, 48 bytes before it");
  CHECK_FAULT(with_both("mov.u64 %d1, t; cvta.shared.u64 %d1, %d1; ld.u32 %r2, [%d1+160];"), illegal,
              "that of the variable t of 80 bytes, 80 bytes past its end");
  CHECK_FAULT(with_both("mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.u32 %r2, [%d1-8];"), illegal,
              "a generic address 8 bytes before the beginning of shared memory");
  // Whose it is cannot be seen.
  CHECK_FAULT(with_both("mov.u32 %r1, 160; ld.shared.u32 %r2, [%r1];"), illegal,
              "40 bytes past the end of its 120 bytes; the last in it is the variable t of 80 bytes");
  CHECK_FAULT(with_both("mov.u32 %r1, -8; ld.shared.u32 %r2, [%r1];"), illegal,
              "8 bytes before its beginning; the first in it is the variable s of 40 bytes");
}

TEST_CASE("emulator faults: an overrun of dynamic shared memory") {
  TestModule module(
      ptx_module(".extern .shared .align 16 .b8 tail[];\n.shared .align 4 .u32 s[10];\n"
                 ".visible .entry k()\n{ .reg .b32 %r<9>; st.shared.u32 [s], 0; mov.u32 %r1, tail; "
                 "ld.shared.u32 %r2, [%r1+64]; ret; }\n"));
  LaunchRequest request = module.made("k", {1}, {1});
  request.shared_bytes = 64;
  CHECK_FAULT(run_launch(request), illegal, "that of the dynamic shared memory of 64 bytes, 0 bytes past its end");
}

TEST_CASE("emulator faults: dynamic shared memory that a launch forgot") {
  const auto launched = [](const std::string& body, const std::string& before = "", std::uint32_t bytes = 0) {
    TestModule module(ptx_module(".extern .shared .align 16 .b8 tail[];\n" + before +
                                 ".visible .entry k()\n{ .reg .b32 %r<9>; .reg .b64 %d<9>;\n" + body + "\nret; }\n"));
    LaunchRequest request = module.made("k", {1}, {1});
    request.shared_bytes = bytes;
    return run_launch(request);
  };
  const std::string forgotten =
      "; the kernel has an array in dynamic shared memory (extern __shared__), and the launch gave it 0 bytes: give "
      "its "
      "size in bytes at the launch (LaunchConfig::shared_size; --shared of kiln run)";
  CHECK_FAULT(launched("st.shared.u32 [tail+8], 1;"), illegal, "the block has no shared memory" + forgotten);
  CHECK_FAULT(launched("mov.u64 %d1, tail; cvta.shared.u64 %d1, %d1; st.u32 [%d1+8], 1;"), illegal, forgotten);
  CHECK_FAULT(launched("mov.u64 %d1, tail; cp.async.ca.shared.global [%d1], [%d1], 4;"), illegal, forgotten);
  // Beside arrays of a fixed size, and from a function that is handed its address.
  const std::string arrays = ".shared .align 4 .u32 s[10];\n";
  CHECK_FAULT(launched("st.shared.u32 [s], 1; st.shared.u32 [tail+64], 1;", arrays), illegal, forgotten);
  CHECK_FAULT(
      launched("{ .param .b64 a; mov.u64 %d1, tail; st.param.b64 [a], %d1; call put, (a); }",
               ".func put(.param .b64 a) { .reg .b64 %d; ld.param.b64 %d, [a]; st.shared.u32 [%d], 1; ret; }\n"),
      illegal, forgotten);
  // What is no fault of the launch is not called one.
  const LaunchOutcome own = launched("st.shared.u32 [s+400], 1; mov.u32 %r1, tail;", arrays);
  CHECK_FAULT(own, illegal, "that of the variable s of 40 bytes, 360 bytes past its end");
  CHECK_MESSAGE(own.report.find("gave it 0 bytes") == std::string::npos, own.report);
  const LaunchOutcome few = launched("st.shared.u32 [tail+64], 1;", "", 64);
  CHECK_FAULT(few, illegal, "the launch gave these bytes (LaunchConfig::shared_size)");
  CHECK_MESSAGE(few.report.find("gave it 0 bytes") == std::string::npos, few.report);
}

TEST_CASE("emulator faults: the argument that an address is made from") {
  const Buffer<int> first({1, 2, 3}), second({1, 2, 3});
  // A struct of a number and a pointer, a pointer, a number of 64 bits.
  const auto launched = [&](const std::string& body, std::uint64_t in_struct, std::uint64_t pointer,
                            std::uint64_t number) {
    TestModule module(
        ptx_module(".func (.param .b64 o) same(.param .b64 a) { .reg .b64 %d; ld.param.b64 %d, [a]; st.param.b64 [o], "
                   "%d; ret; }\n"
                   ".visible .entry k(.param .align 8 .b8 p_s[16], .param .u64 p_a, .param .u64 p_n)\n"
                   "{ .reg .b64 %a, %s, %n, %d<9>; .reg .b32 %r<9>; .reg .pred %p;\n"
                   "ld.param.u64 %s, [p_s+8]; ld.param.u64 %a, [p_a]; ld.param.u64 %n, [p_n];\n" +
                   body + "\nret; }\n"));
    return module.launch("k", {1}, {1}, std::uint64_t{7}, in_struct, pointer, number);
  };
  const std::string index = "shl.b64 %d1, %n, 2; add.s64 %d2, %a, %d1; ";
  CHECK_FAULT(launched(index + "ld.global.u32 %r1, [%d2];", first.address(), second.address(), 3), illegal,
              "index 3 in elements of 4 bytes; the address is made from argument 1 (counted from 0)\n");
  CHECK_FAULT(
      launched("cvta.to.global.u64 %d1, %s; ld.global.u32 %r1, [%d1+20];", first.address(), second.address(), 3),
      illegal, "; the address is made from argument 0 (counted from 0; at byte 8 of it)\n");
  CHECK_FAULT(launched("ld.param.v2.u64 {%d1, %d2}, [p_s]; ld.global.u32 %r1, [%d2+20];", first.address(), 0, 3),
              illegal, "; the address is made from argument 0 (counted from 0; at byte 8 of it)\n");
  // So far off that another allocation is the nearest.
  const std::uint64_t far = (second.address() - first.address()) / 4 + 4;
  char there[24];
  std::snprintf(there, sizeof there, "0x%llx", static_cast<unsigned long long>(first.address()));
  CHECK_FAULT(launched(index + "ld.global.u32 %r1, [%d2];", 0, first.address(), far), illegal,
              "; the address is made from argument 1 (counted from 0), which points 0 bytes into the allocation of 12 "
              "bytes at " +
                  std::string(there));
  CHECK_FAULT(launched(index + "ld.global.u32 %r1, [%d2];", 0, 0, 3), illegal,
              ": a null pointer + 12; the address is made from argument 1 (counted from 0), which is null\n");
  static int of_host = 0;
  CHECK_FAULT(launched(index + "st.global.u32 [%d2], 1;", 0, reinterpret_cast<std::uint64_t>(&of_host), 0), illegal,
              "cannot use; the address is made from argument 1 (counted from 0)\n");
  // A function made it: the argument that points there is known all the same.
  const std::string called =
      "{ .param .b64 a; .param .b64 o; st.param.b64 [a], %a; call (o), same, (a); ld.param.b64 %d1, [o]; }\n";
  CHECK_FAULT(launched(called + "ld.global.u32 %r1, [%d1+12];", first.address(), second.address(), 3), illegal,
              "; to that allocation points argument 1 (counted from 0)\n");
  CHECK_FAULT(launched(called + "ld.global.u32 %r1, [%d1+12];", first.address() + 4, first.address(), 3), illegal,
              "points argument 0 (counted from 0; at byte 8 of it) and argument 1 (counted from 0)\n");
  // Either of two pointers: no guess.
  CHECK_FAULT(launched("setp.eq.u64 %p, %n, 3; selp.b64 %d1, %a, %s, %p; ld.global.u32 %r1, [%d1+12];", first.address(),
                       second.address(), 3),
              illegal, "; to that allocation points argument 1 (counted from 0)\n");
}

TEST_CASE("emulator faults: parameters have ends, each its own") {
  CHECK_FAULT(fault("ld.param.u32 %r1, [p_a+8];", 0), illegal,
              "reads 4 bytes at offset 8 of the parameter p_a, which has 8");
  CHECK_FAULT(fault("ld.param.v2.u64 {%d1, %d2}, [p_a];", 0), illegal, "reads 16 bytes at offset 0");
  CHECK_FAULT(fault("mov.u64 %d1, p_a; ld.param.u32 %r1, [%d1+8];", 0), illegal, "0 bytes past the end of its 8 bytes");
  CHECK_FAULT(fault("mov.u64 %d1, p_a; cvta.param.u64 %d1, %d1; ld.u32 %r1, [%d1+12];", 0), illegal,
              "4 bytes past the end of its 8 bytes");
  const auto two = [](const std::string& body) {
    TestModule module(
        ptx_module(".visible .entry k(.param .u32 first, .param .u64 second)\n"
                   "{ .reg .b64 %d<9>; .reg .b32 %r<9>;\n" +
                   body + "\nret; }\n"));
    return module.launch("k", {1}, {1}, 1u, std::uint64_t{2});
  };
  CHECK_FAULT(two("ld.param.u64 %d1, [first];"), illegal, "reads 8 bytes at offset 0 of the parameter first");
  CHECK_FAULT(two("ld.param.u32 %r1, [second-8];"), illegal, "reads 4 bytes at offset -8 of the parameter second");
  CHECK_FAULT(two("mov.u64 %d1, first; ld.param.u32 %r1, [%d1+4];"), illegal,
              "beyond the end of the parameter first, which has 4 bytes at 0x0");
  CHECK(two("mov.u64 %d1, first; ld.param.u32 %r1, [%d1+8]; ld.param.u64 %d2, [second];").result == CUDA_SUCCESS);
}

TEST_CASE("emulator faults: parameters of functions and of calls have ends") {
  const auto in_function = [](const std::string& body, const std::string& call) {
    return fault("{ .param .b32 a; .param .b32 o; " + call + " }", 0,
                 ".func (.param .b32 o) f(.param .b32 a) { .reg .b64 %d<9>; .reg .b32 %r<9>; " + body + " ret; }\n");
  };
  const std::string call = "st.param.b32 [a], %r1; call (o), f, (a);";
  CHECK(in_function("ld.param.b32 %r1, [a]; st.param.b32 [o], %r1;", call).result == CUDA_SUCCESS);
  CHECK_FAULT(in_function("ld.param.b64 %d1, [a];", call), illegal, "reads 8 bytes at offset 0 of the parameter a");
  CHECK_FAULT(in_function("ld.param.b32 %r1, [a+4];", call), illegal, "reads 4 bytes at offset 4 of the parameter a");
  CHECK_FAULT(in_function("st.param.b32 [o+4], %r1;", call), illegal, "writes 4 bytes at offset 4 of the parameter o");
  CHECK_FAULT(in_function("", "st.param.b64 [a], %d1; call (o), f, (a);"), illegal, "writes 8 bytes at offset 0");
  CHECK_FAULT(in_function("", call + " ld.param.b64 %d1, [o];"), illegal,
              "reads 8 bytes at offset 0 of the parameter o");
}

TEST_CASE("emulator faults: misaligned accesses tell what they need") {
  Buffer<char> buffer(std::vector<char>(64));
  CHECK_FAULT(fault("ld.global.u32 %r1, [%a];", buffer.address() + 2), CUDA_ERROR_MISALIGNED_ADDRESS,
              "which is no multiple of 4");
  CHECK_FAULT(fault("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a];", buffer.address() + 8),
              CUDA_ERROR_MISALIGNED_ADDRESS, "reads 16 bytes");
  CHECK_FAULT(fault("ld.shared.u64 %d1, [s+4];", 0, ".shared .align 8 .u64 s[4];\n"), CUDA_ERROR_MISALIGNED_ADDRESS,
              "which is no multiple of 8");
}

TEST_CASE("emulator faults: one lane of a full warp is found") {
  Buffer<std::uint32_t> buffer(std::vector<std::uint32_t>(31));
  TestModule module(
      ptx_module(".visible .entry k(.param .u64 p_a)\n{ .reg .b64 %a, %x; .reg .b32 %i;\nld.param.u64 %a, [p_a];\n"
                 "mov.u32 %i, %tid.x; mul.wide.u32 %x, %i, 4; add.u64 %a, %a, %x; st.global.u32 [%a], %i; ret; }\n"));
  const LaunchOutcome outcome = module.launch("k", {1}, {32}, buffer.address());
  CHECK(outcome.result == illegal);
  CHECK_MESSAGE(outcome.report.find("0 bytes past the end of the allocation of 124 bytes") != std::string::npos,
                outcome.report);
  CHECK_MESSAGE(outcome.report.find("(31,0,0)") != std::string::npos, outcome.report);
}

}  // namespace memory_faults_test
