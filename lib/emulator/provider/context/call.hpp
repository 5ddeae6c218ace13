// What every exported function does first and last.
#pragma once

#include "emulator/core/call_error.hpp"
#include "emulator/core/log.hpp"

#include <cuda.h>

/// What the calling thread's last call said beyond its result, for the program's error text; empty where it said
/// nothing. Good until the thread's next call.
extern "C" const char* kiln_driver_message();

#define KILN_EMULATOR_API extern "C" __attribute__((visibility("default"))) CUresult CUDAAPI

namespace kiln::emulator {

/// The exception that is being handled as a result, its text logged.
CUresult result_of_exception(const char* function) noexcept;

/// The body of an exported function: CUDA_ERROR_NOT_INITIALIZED before cuInit, the sticky error of a context whose
/// kernel failed; what the body throws becomes a result.
CUresult check_start(const char* function) noexcept;
/// The result again; where it is the sticky error, the report of what failed becomes the call's message.
CUresult failed(CUresult result) noexcept;
template <class Body>
CUresult call(const char* function, Body body) noexcept {
  if (const CUresult start = check_start(function); start != CUDA_SUCCESS) return start;
  try {
    return failed(body());
  } catch (...) {
    return result_of_exception(function);
  }
}

/// The same for what works in a context whose kernel failed, too: nothing of the device is touched.
CUresult check_initialised(const char* function) noexcept;
template <class Body>
CUresult call_anyway(const char* function, Body body) noexcept {
  if (const CUresult start = check_initialised(function); start != CUDA_SUCCESS) return start;
  try {
    return body();
  } catch (...) {
    return result_of_exception(function);
  }
}

/// For what the emulator does not do: says so in the log, by name.
CUresult not_supported(const char* function, const char* what = nullptr) noexcept;

}  // namespace kiln::emulator
