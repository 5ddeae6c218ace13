// Launches by kernels, and the other functions of the device runtime, from PTX as compilers write it.
#include "run_ptx.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::emulator::device_runtime_test {
namespace {

constexpr std::uint64_t null_stream = 0, tail_launch = 3, fire_and_forget = 4;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string declarations = R"(
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12],
    .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);
.extern .func (.param .b32 r) __cudaCDP2GetLastError();
.extern .func (.param .b32 r) __cudaCDP2StreamCreateWithFlags(.param .b64 s, .param .b32 f);
.extern .func (.param .b32 r) __cudaCDP2EventCreateWithFlags(.param .b64 s, .param .b32 f);
.extern .func (.param .b32 r) __cudaCDP2EventRecord(.param .b64 e, .param .b64 s);
.extern .func (.param .b32 r) __cudaCDP2StreamWaitEvent(.param .b64 s, .param .b64 e, .param .b32 f);
.extern .func (.param .b32 r) __cudaCDP2MemsetAsync(.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 s);
.extern .func (.param .b32 r) __cudaCDP2MemcpyAsync(.param .b64 t, .param .b64 f, .param .b64 n, .param .b32 k,
    .param .b64 s);
)";

// child<<<grid, block, 0, stream>>>(a, b): the address of the function is in %d20; %d21 and %r21 are the arguments.
// The buffer's address stays in %d22.
std::string launch_text(const std::string& child, const std::string& grid, const std::string& block,
                        const std::string& stream, const std::string& a, const std::string& b) {
  return "{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r;\n"
         "mov.u64 %d20, " +
         child + "; st.param.b64 [f], %d20; st.param.b32 [g], " + grid +
         "; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n"
         "st.param.b32 [b], " +
         block +
         "; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;\n"
         "call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.b64 %d22, [r]; }\n"
         "setp.ne.s64 %p3, %d22, 0;\n@%p3 st.u64 [%d22], " +
         a + ";\n@%p3 st.u32 [%d22+8], " + b +
         ";\n{ .param .b64 p; .param .b64 s; .param .b32 r; st.param.b64 [p], %d22; st.param.b64 [s], " + stream +
         ";\n@%p3 call (r), __cudaCDP2LaunchDeviceV2, (p, s); @%p3 ld.param.b32 %r20, [r]; }\n";
}
std::string launch_text(const std::string& child, std::uint64_t stream, const std::string& b) {
  return launch_text(child, "1", "1", std::to_string(stream), "%d1", b);
}
// result = function(arguments, each with its type)
struct Argument {
  const char* type;
  std::string value;
};
std::string call_text(const std::string& function, const std::vector<Argument>& arguments) {
  std::string text = "{ .param .b32 r;", names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = "a" + std::to_string(i);
    text += " .param ." + std::string(arguments[i].type) + " " + name + "; st.param." + arguments[i].type + " [" +
            name + "], " + arguments[i].value + ";";
    names += (i == 0 ? "" : ", ") + name;
  }
  return text + "\ncall.uni (r), " + function + ", (" + names + "); ld.param.b32 %r20, [r]; }\n";
}

std::string entry(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 p_out, .param .u32 p_n)\n{ .reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %d<30>;\n"
         ".local .align 8 .b8 room[16];\n"
         "ld.param.u64 %d1, [p_out]; ld.param.u32 %r1, [p_n]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;\n" +
         body + "\nret; }\n";
}

// Appends n to a list: out[0] is its length.
const std::string append = entry("append", R"(
atom.global.add.u32 %r4, [%d1], 1; add.u32 %r4, %r4, 1; mul.wide.u32 %d2, %r4, 4; add.s64 %d2, %d1, %d2;
st.global.u32 [%d2], %r1;)");

struct Run {
  LaunchOutcome outcome;
  std::vector<std::uint32_t> out;
};
Run run(const std::string& functions, Dim3 grid = {1}, Dim3 block = {1}, std::uint32_t n = 0, std::size_t size = 4096) {
  TestModule module(ptx_module(declarations + functions));
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(size, 0));
  Run made;
  made.outcome = module.launch("parent", grid, block, out.address(), n);
  made.out = out.values();
  return made;
}
Run run_well(const std::string& functions, Dim3 grid = {1}, Dim3 block = {1}, std::uint32_t n = 0) {
  Run made = run(functions, grid, block, n);
  REQUIRE_MESSAGE(made.outcome.result == CUDA_SUCCESS, made.outcome.report);
  return made;
}
std::vector<std::uint32_t> list_of(const Run& made) {
  return {made.out.begin() + 1, made.out.begin() + 1 + made.out[0]};
}
using List = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the launches of a block into the NULL stream run in order, and are done when the host's is") {
  const Run made = run_well(append + entry("parent", launch_text("append", null_stream, "1") +
                                                         launch_text("append", null_stream, "2") +
                                                         launch_text("append", null_stream, "3")));
  CHECK(list_of(made) == List{1, 2, 3});
}

TEST_CASE("each thread launches a grid with the sizes and parameters that it gives") {
  const std::string child = entry("child", R"(
mad.lo.u32 %r4, %r3, 32, %r2; mul.wide.u32 %d2, %r4, 4; add.s64 %d2, %d1, %d2; st.global.u32 [%d2], %r1;)");
  const Run made = run_well(child + entry("parent", R"(
mul.wide.u32 %d3, %r2, 256; add.s64 %d3, %d1, %d3; add.u32 %r5, %r2, 100;)" +
                                                        launch_text("child", "2", "32", "0", "%d3", "%r5")),
                            {1}, {40});
  for (std::uint32_t i = 0; i < 40 * 64; ++i) REQUIRE(made.out[i] == 100 + i / 64);
  CHECK(made.out[40 * 64] == 0);
}

TEST_CASE("tail launches run in order, when all other children and theirs are done") {
  const Run made = run_well(
      append + entry("middle", launch_text("append", fire_and_forget, "7") + launch_text("append", tail_launch, "8")) +
      entry("parent", launch_text("append", tail_launch, "1") + launch_text("middle", tail_launch, "0") +
                          launch_text("append", tail_launch, "2") + launch_text("middle", fire_and_forget, "0")));
  CHECK(list_of(made) == List{7, 8, 1, 7, 8, 2});
}

TEST_CASE("a kernel may wait for what it launched, as far as others run beside it") {
  const Run made = run_well(append + entry("parent", launch_text("append", fire_and_forget, "5") + R"(
AGAIN: ld.volatile.global.u32 %r6, [%d1+4]; setp.eq.u32 %p1, %r6, 0; @%p1 bra AGAIN; st.global.u32 [%d1+8], %r6;)"));
  CHECK(made.out[2] == 5);
}

TEST_CASE("streams of the device run apart, until an event joins them") {
  // In the first stream a grid waits for a flag, which the second one's sets; the last waits for an event of the first.
  const std::string waits = entry("waits", R"(
AGAIN: ld.volatile.global.u32 %r6, [%d1+400]; setp.eq.u32 %p1, %r6, 0; @%p1 bra AGAIN;
ld.global.u32 %r4, [%d1]; add.u32 %r4, %r4, 1; st.global.u32 [%d1], %r4; st.global.u32 [%d1+4], %r1;)");
  const std::string sets = entry("sets", "st.volatile.global.u32 [%d1+400], 1;");
  const std::string make_stream = call_text("__cudaCDP2StreamCreateWithFlags", {{"b64", "%d11"}, {"b32", "1"}});
  const Run made = run_well(
      append + waits + sets +
      entry("parent", "mov.u64 %d10, room; cvta.local.u64 %d11, %d10;\n" + make_stream +
                          "ld.local.u64 %d12, [room];\n" + make_stream + "ld.local.u64 %d13, [room];\n" +
                          call_text("__cudaCDP2EventCreateWithFlags", {{"b64", "%d11"}, {"b32", "2"}}) +
                          "ld.local.u64 %d14, [room];\n" + launch_text("waits", "1", "1", "%d12", "%d1", "1") +
                          call_text("__cudaCDP2EventRecord", {{"b64", "%d14"}, {"b64", "%d12"}}) +
                          launch_text("sets", "1", "1", "%d13", "%d1", "0") +
                          call_text("__cudaCDP2StreamWaitEvent", {{"b64", "%d13"}, {"b64", "%d14"}, {"b32", "0"}}) +
                          launch_text("append", "1", "1", "%d13", "%d1", "2")));
  CHECK(list_of(made) == List{1, 2});
}

TEST_CASE("fills and copies run in their streams") {
  const Run made = run_well(entry(
      "parent", "add.s64 %d2, %d1, 64;\n" +
                    call_text("__cudaCDP2MemsetAsync", {{"b64", "%d1"}, {"b32", "3"}, {"b64", "6"}, {"b64", "0"}}) +
                    call_text("__cudaCDP2MemcpyAsync",
                              {{"b64", "%d2"}, {"b64", "%d1"}, {"b64", "8"}, {"b32", "3"}, {"b64", "0"}})));
  CHECK(made.out[0] == 0x03030303);
  CHECK(made.out[1] == 0x0303);
  CHECK(made.out[16] == 0x03030303);
  CHECK(made.out[17] == 0x0303);
  CHECK(made.out[18] == 0);
}

TEST_CASE("wrong launches do not run, and tell their thread why, once") {
  const std::string errors = call_text("__cudaCDP2GetLastError", {}) + "st.global.u32 [%d1+400], %r20;\n" +
                             call_text("__cudaCDP2GetLastError", {}) + "st.global.u32 [%d1+404], %r20;\n";
  const auto error_of = [&](const std::string& launch) {
    const Run made = run_well(append + entry("parent", launch + errors));
    CHECK(made.out[0] == 0);
    CHECK(made.out[101] == 0);
    return made.out[100];
  };
  CHECK(error_of(launch_text("append", "0", "1", "0", "%d1", "1")) == 9);
  CHECK(error_of(launch_text("append", "1", "1025", "0", "%d1", "1")) == 9);
  CHECK(error_of(launch_text("append", "1", "1", "77", "%d1", "1")) == 400);
  CHECK(error_of(launch_text("0", "1", "1", "0", "%d1", "1")) == 98);
}

TEST_CASE("the errors of two threads are apart") {
  const Run made = run_well(
      append + entry("parent", "add.u32 %r5, %r2, 1024;\n" + launch_text("append", "1", "%r5", "0", "%d1", "1") +
                                   call_text("__cudaCDP2GetLastError", {}) +
                                   "mul.wide.u32 %d2, %r2, 4; add.s64 %d2, %d1, %d2;\n"
                                   "st.global.u32 [%d2+8192], %r20;"),
      {1}, {3});
  CHECK(made.out[0] == 1024);
  CHECK(List(made.out.begin() + 2048, made.out.begin() + 2052) == List{0, 9, 9, 0});
}

TEST_CASE("launches nest as deep as the pending launches allow") {
  const Run made = run_well(entry("parent", R"(
mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d1, %d2; add.u32 %r5, %r1, 1;)" +
                                                launch_text("parent", null_stream, "%r5") +
                                                call_text("__cudaCDP2GetLastError", {}) + R"(
add.u32 %r20, %r20, 1; st.global.u32 [%d2], %r20;)"));
  for (std::size_t depth = 0; depth < 2048; ++depth) REQUIRE(made.out[depth] == 1);
  CHECK(made.out[2048] == 70);  // one more than cudaErrorLaunchPendingCountExceeded
  CHECK(made.out[2049] == 0);
}

TEST_CASE("no more launches than the limit are pending") {
  const std::string count = R"(
mov.u32 %r7, 0;
NEXT: )" + launch_text("append", tail_launch, "%r7") +
                            R"(
add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 2050; @%p1 bra NEXT;
)" + call_text("__cudaCDP2GetLastError", {}) +
                            "st.global.u32 [%d1+16000], %r20;";
  const Run made = run_well(append + entry("parent", count));
  CHECK(made.out[0] == 2048);
  CHECK(made.out[2048] == 2047);
  CHECK(made.out[4000] == 69);
}

TEST_CASE("a fault in a child ends all, and the report says who launched it, up to the host's grid") {
  const Run made = run(entry("child", "mov.u64 %d2, 64; st.global.u32 [%d2], %r1;") +
                       entry("middle", launch_text("child", null_stream, "0")) +
                       entry("parent", launch_text("middle", null_stream, "0")));
  CHECK(made.outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
  const std::string& report = made.outcome.report;
  CAPTURE(report);
  CHECK(contains(report, "kernel child, block (0,0,0), thread (0,0,0): writes 4 bytes at 0x40"));
  const std::size_t middle = report.find("\n  launched by kernel middle, block (0,0,0), thread (0,0,0)\n  at PTX line");
  const std::size_t parent = report.find("\n  launched by kernel parent, block (0,0,0), thread (0,0,0)\n  at PTX line");
  REQUIRE(middle != std::string::npos);
  REQUIRE(parent != std::string::npos);
  CHECK(middle < parent);
  CHECK(contains(report, "__cudaCDP2LaunchDeviceV2"));
}

TEST_CASE("a fault of the parent ends what it launched") {
  const Run made =
      run(entry("endless", "L: bra L;") + entry("parent", launch_text("endless", fire_and_forget, "0") + "trap;"));
  CHECK(made.outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(contains(made.outcome.report, "kernel parent"));
}

TEST_CASE("a copy to memory that is none is a fault, with the kernel that made it") {
  const Run made = run(
      entry("parent", call_text("__cudaCDP2MemsetAsync", {{"b64", "64"}, {"b32", "3"}, {"b64", "6"}, {"b64", "0"}})));
  CHECK(made.outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(contains(made.outcome.report, "a fill that a kernel made writes 6 bytes at 0x40"));
  CHECK(contains(made.outcome.report, "launched by kernel parent"));
}

TEST_CASE("a pointer to the launching thread's own memory is refused") {
  const Run made = run(append + entry("parent", "mov.u64 %d10, room; cvta.local.u64 %d11, %d10;\n" +
                                                    launch_text("append", "1", "1", "0", "%d11", "1")));
  CHECK(made.outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(contains(made.outcome.report, "gives append a pointer to its own local memory"));
}

TEST_CASE("a parameter buffer has the bytes of the parameters and no more") {
  const Run made = run(append + entry("parent", launch_text("append", null_stream, "1") + "st.u32 [%d22+12], %r1;"));
  CHECK(made.outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("kernels cannot wait for their children by cudaDeviceSynchronize") {
  const std::string text = ptx_module(".extern .func (.param .b32 r) cudaDeviceSynchronize();\n" +
                                      entry("parent", call_text("cudaDeviceSynchronize", {})));
  try {
    const TestModule module(text);
    FAIL("it was loaded");
  } catch (const std::exception& error) {
    CHECK(contains(error.what(), "Unresolved extern function 'cudaDeviceSynchronize'"));
  }
}

}  // namespace kiln::emulator::device_runtime_test
