// A launch: what the provider asks for, and what comes of it.
#pragma once

#include "emulator/machine/code.hpp"

#include <cuda.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::emulator {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct LaunchRequest {
  const Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // dynamic
  bool cooperative = false;        // all blocks are resident
  std::vector<std::byte> params;   // laid out as kernel->params say
  std::uint64_t stack_limit = 0;   // CU_LIMIT_STACK_SIZE, bytes a thread; the emulator gives at least 64 KiB
  const void* context = nullptr;   // the provider's own
};

struct LaunchOutcome {
  CUresult result = CUDA_SUCCESS;
  std::string report;  // where result is not success: several lines, for people
  std::uint64_t thread_instructions = 0;
};

/// Runs the grid on the cores and returns when it ended. What the kernel printed has been written to standard output.
/// The request was checked (sizes, limits, parameters) by the caller. Thread-safe; launches share the cores.
LaunchOutcome run_launch(const LaunchRequest& request);

}  // namespace kiln::emulator
