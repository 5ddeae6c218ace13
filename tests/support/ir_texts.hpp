// NVVM IR for tests: one kernel of the older dialect, which every architecture takes, and variations of it.
#pragma once

#include <string>

namespace kiln::test {

inline const std::string ir_layout =
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n";
inline const std::string ir_triple = "target triple = \"nvptx64-nvidia-cuda\"\n";
inline const std::string ir_version = "!nvvmir.version = !{!1}\n!1 = !{i32 2, i32 0}\n";

/// Writes each thread's number.
inline const std::string ir_body = R"(
define void @number(i32* %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr i32, i32* %out, i64 %i
  store i32 %t, i32* %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{void (i32*)* @number, !"kernel", i32 1}
)";
inline const std::string number_ir = ir_layout + ir_triple + ir_body + ir_version;

/// The same in the dialect that compute_100 and above take too.
inline const std::string opaque_ir = ir_layout + ir_triple + R"(
define void @number(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %t, ptr %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @number, !"kernel", i32 1}
)" + ir_version;

/// Calls libdevice.
inline const std::string sine_ir = ir_layout + ir_triple + R"(
define void @sine(float* %x) {
  %v = load float, float* %x
  %s = call float @__nv_sinf(float %v)
  store float %s, float* %x
  ret void
}
declare float @__nv_sinf(float)
!nvvm.annotations = !{!0}
!0 = !{void (float*)* @sine, !"kernel", i32 1}
)" + ir_version;

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace kiln::test
