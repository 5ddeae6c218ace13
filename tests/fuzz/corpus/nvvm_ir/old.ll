define void @f(ptr %p) {
  ret void
}
!0 = metadata !{ptr @f, metadata !"kernel", i32 1}
