// Runs something with every driver call that it makes failing in turn.
#pragma once

#include "fake_cuda.hpp"

#include <kiln/error.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <map>
#include <string>

/// `operation` must do the same each time; calls that release something are left alone, as their failure is not told.
/// `check` is run after each failure: nothing must have been left behind.
template <class Operation, class Check>
void each_call_failing(const Operation& operation, const Check& check) {
  fake_cuda::reset();
  operation();
  std::map<std::string, std::size_t> made;
  for (const std::string& name : fake_cuda::calls()) ++made[name];
  CHECK(!made.empty());
  for (const auto& [name, times] : made) {
    if (name.find("Destroy") != std::string::npos || name.find("Free") != std::string::npos) continue;
    if (name == "cuCtxSetCurrent" || name == "cuGetProcAddress") continue;  // guards put contexts back, quietly
    // Later ones are destructors' too, which can give nothing back in a process that cannot tell its context.
    const std::size_t failures = name == "cuCtxGetCurrent" ? 1 : times;
    for (std::size_t skip = 0; skip < failures; ++skip) {
      CAPTURE(name);
      CAPTURE(skip);
      fake_cuda::reset();
      fake_cuda::fail(name, CUDA_ERROR_LAUNCH_FAILED, skip);
      try {
        operation();
        FAIL_CHECK("a failure was swallowed");
      } catch (const kiln::DriverError& error) {
        CHECK(error.call() == name);
        CHECK(error.result() == CUDA_ERROR_LAUNCH_FAILED);
      }
      check();
    }
  }
  fake_cuda::reset();
}
