// A launch: the request of the provider, and the outcome.
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
  /// "(0,1,2)"
  std::string text() const { return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")"; }
};

struct LaunchRequest {
  const Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // dynamic
  bool cooperative = false;        // all blocks are resident
  std::vector<std::byte> params;   // laid out as in kernel->params
  std::uint64_t stack_limit = 0;   // CU_LIMIT_STACK_SIZE, bytes per thread; the emulator gives at least 64 KiB
  const void* context = nullptr;   // an opaque pointer of the provider
  Dim3 cluster;                    // blocks of a cluster; the grid is a multiple
  bool explicit_cluster = false;   // %is_explicit_cluster: the launch or the kernel states a size
  // For launches by the kernel.
  std::uint64_t pending_limit = 2048;  // CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
  std::uint64_t printf_limit = 0;      // CU_LIMIT_PRINTF_FIFO_SIZE
  /// The dynamic shared memory that another kernel of `context` may have; null: no more than usual.
  std::uint64_t (*max_dynamic_shared)(const Kernel& kernel, const void* context) = nullptr;
};

struct LaunchOutcome {
  CUresult result = CUDA_SUCCESS;
  std::string report;  // a failure in several lines, for users
  std::uint64_t thread_instructions = 0;
};

/// Runs the grid on the cores and returns when it has ended, and all grids that it launched. What the kernels printed
/// has then been written to standard output. The caller has checked the request (sizes, limits, parameters).
/// Thread-safe; launches share the cores.
LaunchOutcome run_launch(const LaunchRequest& request);

struct LaunchState;
/// Runs all blocks and returns when they have ended, without those of the grids that they launched. Thread-safe.
LaunchOutcome run_grid(LaunchState& launch);

}  // namespace kiln::emulator
