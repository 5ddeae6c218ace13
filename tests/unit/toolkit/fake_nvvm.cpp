// A library with libnvvm's functions and none of their work.
#include <cstddef>

extern "C" {
const char* nvvmGetErrorString(int) { return "a fake error"; }
int nvvmVersion(int* major, int* minor) { return *major = 2, *minor = 9, 0; }
int nvvmIRVersion(int* ir_major, int* ir_minor, int* debug_major, int* debug_minor) {
  return *ir_major = 2, *ir_minor = 1, *debug_major = 3, *debug_minor = 4, 0;
}
#ifdef WITH_LLVM_VERSION
int nvvmLLVMVersion(const char*, int* major) { return *major = 20, 0; }
#endif
int nvvmCreateProgram(void**) { return 2; }
int nvvmDestroyProgram(void**) { return 0; }
int nvvmAddModuleToProgram(void*, const char*, std::size_t, const char*) { return 4; }
int nvvmLazyAddModuleToProgram(void*, const char*, std::size_t, const char*) { return 4; }
#ifndef WITHOUT_VERIFY
int nvvmVerifyProgram(void*, int, const char* const*) { return 4; }
#endif
int nvvmCompileProgram(void*, int, const char* const*) { return 4; }
int nvvmGetCompiledResultSize(void*, std::size_t*) { return 4; }
int nvvmGetCompiledResult(void*, char*) { return 4; }
int nvvmGetProgramLogSize(void*, std::size_t*) { return 4; }
int nvvmGetProgramLog(void*, char*) { return 4; }
}
