// The driver as a program without Kiln calls it: the floor's side of each comparison.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace kiln::bench {

/// The driver's library: the one that KILN_DRIVER names, as Kiln itself would open it.
inline void* driver_library() {
  static void* const library = [] {
    const char* name = std::getenv("KILN_DRIVER");
    return ::dlopen(name && *name ? name : "libcuda.so.1", RTLD_NOW);
  }();
  return library;
}

template <class Function>
Function* driver_function(Function*, const char* name) {
  void* const symbol = driver_library() ? ::dlsym(driver_library(), name) : nullptr;
  if (!symbol) std::fprintf(stderr, "the driver has no %s\n", name), std::exit(1);
  return reinterpret_cast<Function*>(symbol);
}

inline void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) std::fprintf(stderr, "%s: error %d\n", call, static_cast<int>(result)), std::exit(1);
}

/// Initialises the driver and makes device 0's primary context current. False without a driver or a device.
inline bool make_context() {
  if (!driver_library()) return false;
  int count = 0;
  if (driver_function<decltype(cuInit)>(nullptr, "cuInit")(0) != CUDA_SUCCESS) return false;
  if (driver_function<decltype(cuDeviceGetCount)>(nullptr, "cuDeviceGetCount")(&count) != CUDA_SUCCESS || count == 0)
    return false;
  CUcontext context = nullptr;
  check(driver_function<decltype(cuDevicePrimaryCtxRetain)>(nullptr, "cuDevicePrimaryCtxRetain")(&context, 0),
        "retain");
  check(driver_function<decltype(cuCtxSetCurrent)>(nullptr, "cuCtxSetCurrent")(context), "set current");
  return true;
}

}  // namespace kiln::bench
