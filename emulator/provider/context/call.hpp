// What every exported function does at its beginning and end.
#pragma once

#include "base/default_float_environment.hpp"
#include "emulator/core/call_error.hpp"

#include <cuda.h>

/// The message of the last call on the calling thread beyond its result, for error texts of the program; empty if there
/// is none. Valid until the next call of the thread.
extern "C" const char* kiln_driver_message();

#define KILN_EMULATOR_API extern "C" __attribute__((visibility("default"))) CUresult CUDAAPI

namespace kiln::emulator {

/// The result for the current exception; its text is logged.
CUresult result_of_exception(const char* function) noexcept;

/// Runs the body of an exported function in the default floating-point environment, as it may read numbers, run a
/// kernel or sample a texture. Returns CUDA_ERROR_NOT_INITIALIZED before cuInit, and in every context the sticky error
/// after a kernel failed. Exceptions of the body become results.
CUresult check_start(const char* function) noexcept;
/// Returns `result`. If it is the sticky error, the report of the failed kernel becomes the message of the call.
CUresult failed(CUresult result) noexcept;
template <class Body>
CUresult call(const char* function, Body body) noexcept {
  if (const CUresult start = check_start(function); start != CUDA_SUCCESS) return start;
  const DefaultFloatEnvironment environment;
  try {
    return failed(body());
  } catch (...) {
    return result_of_exception(function);
  }
}

/// The same for functions that also work after a kernel failed, because they do not use the device.
CUresult check_initialised(const char* function) noexcept;
template <class Body>
CUresult call_anyway(const char* function, Body body) noexcept {
  if (const CUresult start = check_initialised(function); start != CUDA_SUCCESS) return start;
  const DefaultFloatEnvironment environment;
  try {
    return body();
  } catch (...) {
    return result_of_exception(function);
  }
}

/// For unsupported functions: logs the name.
CUresult not_supported(const char* function, const char* what = nullptr) noexcept;

}  // namespace kiln::emulator
