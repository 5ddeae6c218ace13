#include "emulator/core/settings.hpp"
#include "run_ptx.hpp"
#include "written_to.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <string>

namespace kiln::emulator::trace_test {
namespace {

using kiln::test::written_to;

std::string trace_of(const std::string& wanted) {
  Settings::changeable().trace = read_traced_thread(wanted);  // known before code is loaded, as in a program
  TestModule module(ptx_module(R"(
.visible .entry _Z5scalePfi(.param .u64 p) {
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<3>;
  .loc 1 2 0
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 3;
  @%p1 bra END;
  .loc 1 3 0
  add.u32 %r1, %r1, 100;
  mov.f32 %f1, 0f3FC00000;
END:
  ret;
}
  .file 1 "made.cu"
//kiln-source made.cu
//|first
//|  second
//|  third
)"));
  const std::string text =
      written_to(STDERR_FILENO, [&] { module.launch("_Z5scalePfi", {2}, {64}, std::uint64_t{0}); });
  Settings::changeable().trace.reset();
  return text;
}

}  // namespace

TEST_CASE("a thread's instructions are shown with source lines and values before and after") {
  CHECK(trace_of("scale:1:5") ==
        "trace of scale(float*, int), block 1, thread 5\n"
        "made.cu:2: second\n"
        "    mov.u32 %r1, %tid.x;    // %r1 = 0 -> 5\n"
        "    setp.lt.u32 %p1, %r1, 3;    // %p1 = false, %r1 = 5\n"
        "    @%p1 bra END;  (not done)    // %p1 = false\n"
        "made.cu:3: third\n"
        "    add.u32 %r1, %r1, 100;    // %r1 = 5 -> 105\n"
        "    mov.f32 %f1, 0f3FC00000;    // %f1 = 0 -> 1.5\n"
        "    ret;\n");
  CHECK(trace_of("_Z5scalePfi:0,0,0:33,0,0").find("%r1 = 33 -> 133") != std::string::npos);
}

TEST_CASE("values are shown as the instruction takes them") {
  Settings::changeable().trace = read_traced_thread("k:0:0");
  TestModule module(ptx_module(R"(
.visible .entry k() {
  .reg .b32 %r<9>; .shared .align 4 .b32 s;
  mov.u32 %r1, s;
  mov.b32 %r2, 3;
  cvt.rn.f32.s32 %r3, %r2;
  st.shared.f32 [%r1], %r3;
  cvt.rzi.s32.f32 %r4, %r3;
  ret;
}
)"));
  const std::string text = written_to(STDERR_FILENO, [&] { module.launch("k", {1}, {1}); });
  Settings::changeable().trace.reset();
  for (const char* const line : {"%r3, %r2;    // %r3 = 0 -> 3, %r2 = 3\n", "[%r1], %r3;    // %r1 = 0, %r3 = 3\n",
                                 "// %r4 = 0 -> 3, %r3 = 3\n"})
    CHECK_MESSAGE(text.find(line) != std::string::npos, text);
}

TEST_CASE("no other thread is shown") {
  CHECK(trace_of("other:0:0").empty());
  CHECK(trace_of("scale:2:0").empty());
  CHECK(trace_of("scale:0:64").empty());
}

}  // namespace kiln::emulator::trace_test
