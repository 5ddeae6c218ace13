// Calls before cuInit; leaves a kernel that never ends on the device, and static objects that call the driver at exit.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

namespace {

/// Of the emulator's last call.
std::string message() {
  const auto text = reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, "kiln_driver_message"));
  return text == nullptr ? "this is not the emulator" : text();
}

/// Goes after the driver where it was made before cuInit, and before it where it was made later.
struct AtExit {
  ~AtExit() {
    if (!has_driver && cuCtxGetCurrent(&context) != CUDA_ERROR_DEINITIALIZED) std::_Exit(5);
    // The thread's own objects are gone by now, and the messages with them.
    if (cuModuleLoadData(&module, "no PTX") == CUDA_SUCCESS || !message().empty()) std::_Exit(3);
    (void)cuMemFree(memory + 1);
    (void)cuCtxGetCurrent(&context);
  }
  CUdeviceptr memory = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  bool has_driver = false;
} before_the_driver;

void check(CUresult result) {
  if (result != CUDA_SUCCESS) std::_Exit(1);
}

}  // namespace

int main() {
  const std::string spin =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry spin()\n{\nagain:\n  bra again;\n}\n";
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUstream stream = nullptr;
  int count = 0;
  if (cuDeviceGetCount(&count) != CUDA_ERROR_NOT_INITIALIZED) return 2;
  check(cuInit(0));
  static AtExit at_exit;
  at_exit.has_driver = true;
  check(cuDevicePrimaryCtxRetain(&context, 0));
  check(cuCtxSetCurrent(context));
  check(cuModuleLoadData(&module, spin.c_str()));
  check(cuModuleGetFunction(&function, module, "spin"));
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuMemAlloc(&at_exit.memory, 16));
  if (cuModuleLoadData(&at_exit.module, "no PTX") == CUDA_SUCCESS || message().empty()) return 4;
  check(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr));
  return 7;
}
