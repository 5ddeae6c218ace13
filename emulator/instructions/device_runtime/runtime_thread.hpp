// The thread that calls a function of the device runtime.
#pragma once

#include "emulator/instructions/device_runtime/builtin.hpp"
#include "emulator/machine/code.hpp"
#include "emulator/machine/grid_tree.hpp"
#include "emulator/machine/launch.hpp"

#include <cstdint>

namespace kiln::emulator {

class RuntimeThread {
 public:
  RuntimeThread(const BuiltinCall& call, unsigned lane);

  template <class T>
  T argument(std::size_t number) const {
    return call_.argument<T>(lane_, number);
  }
  /// Writes to the address, which may be of any space. Throws Fault.
  template <class T>
  void store(std::uint64_t address, const T& value) const {
    LaneMemory(call_.warp, lane_).store(address, value);
  }
  /// What the call returns. An error is kept for cudaGetLastError.
  void returns(DeviceError error) const;
  /// Keeps an error, of a call that returns something else.
  void fails(DeviceError error) const { grid_.tree.set_last_error(grid_, number_, error); }

  unsigned lane() const { return lane_; }
  const BuiltinCall& call() const { return call_; }
  Grid& grid() const { return grid_; }
  GridTree& tree() const { return grid_.tree; }
  std::uint64_t number() const { return number_; }  // in the grid
  int device() const { return call_.warp.frame().code->device; }
  ThreadPlace place() const;
  /// The stream of a handle. `per_thread`: the program's default stream is the per-thread one.
  DeviceStream stream(std::uint64_t handle, bool per_thread) const;

 private:
  const BuiltinCall& call_;
  const unsigned lane_;
  Grid& grid_;
  std::uint64_t block_ = 0, number_ = 0;
};

/// Calls `function` for each thread, and returns to it what the function returns.
template <class Function>
void for_threads(const BuiltinCall& call, Function function) {
  each_lane(call.active, [&](unsigned lane) {
    const RuntimeThread thread(call, lane);
    thread.returns(function(thread));
  });
}

/// Null for an address that is no kernel's.
const Kernel* kernel_at(std::uint64_t address);
/// The dynamic shared memory in bytes that a launch of the kernel by the running one may have.
std::uint64_t max_dynamic_shared(const Kernel& kernel, const LaunchRequest& running);

}  // namespace kiln::emulator
