#include "toolkit/driver/launch_ranges.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/range.hpp"

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace kiln {

namespace {

struct LaunchNames {
  ForkSafeMutex mutex;
  std::unordered_map<const void*, std::string> names;
};

std::atomic<bool> are_in_ranges{false};
std::atomic<decltype(&::cuLaunchKernel)> driver_launch_kernel{nullptr};
std::atomic<decltype(&::cuLaunchKernelEx)> driver_launch_kernel_ex{nullptr};
std::atomic<decltype(&::cuGraphLaunch)> driver_graph_launch{nullptr};

std::string launch_name(CUfunction function) {
  LaunchNames& known = fork_safe_instance<LaunchNames>();
  const std::lock_guard lock(known.mutex);
  const auto found = known.names.find(function);
  return found != known.names.end() ? found->second : "a kernel";
}

CUresult CUDAAPI launch_in_range(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_size,
                                 CUstream stream, void** arguments, void** extra) {
  const Range range("launch", launch_name(function));
  return driver_launch_kernel.load()(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_size, stream,
                                     arguments, extra);
}

CUresult CUDAAPI launch_ex_in_range(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
  const Range range("launch", launch_name(function));
  return driver_launch_kernel_ex.load()(config, function, arguments, extra);
}

CUresult CUDAAPI launch_graph_in_range(CUgraphExec graph, CUstream stream) {
  const Range range("launch", "a graph");
  return driver_graph_launch.load()(graph, stream);
}

}  // namespace

void put_launches_in_ranges(Driver& driver) {
  if (!launches_have_ranges()) return;
  driver_launch_kernel = std::exchange(driver.launch_kernel, launch_in_range);
  are_in_ranges = true;
}

void put_launches_in_ranges(DriverExtras& driver) {
  if (!are_in_ranges) return;
  driver_launch_kernel_ex = std::exchange(driver.launch_kernel_ex, launch_ex_in_range);
  driver_graph_launch = std::exchange(driver.graph_launch, launch_graph_in_range);
}

void name_for_launches(const void* handle, const std::string& kernel) {
  if (!are_in_ranges) return;
  LaunchNames& known = fork_safe_instance<LaunchNames>();
  const std::lock_guard lock(known.mutex);
  known.names[handle] = kernel;
}

}  // namespace kiln
