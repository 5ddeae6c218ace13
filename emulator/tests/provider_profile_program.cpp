// Launches a kernel twice, and ends with a child that inherits what the driver registered for the end of the process.
#include <cuda.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

// A child of fork has no threads, but the locks that they held: a search for leaks in it may not end.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace {

void check(CUresult result) {
  if (result != CUDA_SUCCESS) std::_Exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  const bool fails = count > 1 && std::string(arguments[1]) == "fail";
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry fill(.param .u64 p)\n{\n.reg .b64 %d<3>;\n"
      "ld.param.u64 %d1, [p];\nst.global.u64 [%d1], %d1;\nret;\n}\n";
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(cuDevicePrimaryCtxRetain(&context, 0));
  check(cuCtxSetCurrent(context));
  check(cuModuleLoadData(&module, text.c_str()));
  check(cuModuleGetFunction(&function, module, "fill"));
  check(cuMemAlloc(&memory, 16));
  if (fails) memory = 0;
  void* parameters[] = {&memory};
  check(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  if (fails) {
    (void)cuCtxSynchronize();
    std::abort();  // as a program that does not expect the failure
  }
  check(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuCtxSynchronize());
  check(cuModuleUnload(module));
  if (chdir("/") != 0) return 2;
  const pid_t child = fork();
  if (child == 0) std::exit(0);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 3;
}
