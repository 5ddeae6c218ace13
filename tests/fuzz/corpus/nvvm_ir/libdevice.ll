; a comment with ptr and *
target datalayout = "e-p:64:64:64-i64:64:64-v16:16:16-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @__nv_sinf(float)

define void @f(float* %p) {
  %x = load float, float* %p
  %y = call float @__nv_sinf(float %x)
  store float %y, float* %p
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{void (float*)* @f, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
