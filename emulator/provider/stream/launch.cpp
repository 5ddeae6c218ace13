#include "emulator/provider/stream/launch.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/machine/fault_report.hpp"
#include "emulator/provider/code/function.hpp"
#include "emulator/provider/code/occupancy.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/process.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <cstring>

namespace kiln::emulator {
namespace {

bool is_within(std::uint32_t size, int device, CUdevice_attribute limit) {
  return size != 0 && size <= static_cast<std::uint32_t>(device_attribute(device, limit));
}

void check_sizes(const LaunchSizes& sizes, int device) {
  const Dim3 &grid = sizes.grid, &block = sizes.block;
  require(is_within(grid.x, device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) &&
          is_within(grid.y, device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) &&
          is_within(grid.z, device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z));
  require(is_within(block.x, device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) &&
          is_within(block.y, device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) &&
          is_within(block.z, device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z));
  const auto most = static_cast<std::uint64_t>(device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  require(block.count() <= most);
}

// .reqntid: the compiler relied on exactly this size.
bool has_required_size(const Kernel& kernel, const Dim3& block) {
  const std::uint32_t(&size)[3] = kernel.code->source->directives.reqntid;
  return size[0] == 0 || (block.x == size[0] && block.y == std::max(size[1], 1u) && block.z == std::max(size[2], 1u));
}

// Of the device.
std::uint64_t all_resident_blocks(const FunctionState& function, const LaunchSizes& sizes,
                                  const std::optional<Dim3>& cluster) {
  const auto block_size = static_cast<int>(sizes.block.count());
  if (cluster && cluster->count() > 1)
    return cluster->count() *
           static_cast<std::uint64_t>(resident_clusters(function, cluster->count(), block_size, sizes.shared_bytes));
  return static_cast<std::uint64_t>(resident_blocks(function, block_size, sizes.shared_bytes)) *
         static_cast<std::uint64_t>(
             device_attribute(function.context->device(), CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
}

// The loader of a driver takes it, as ptxas does, and the launch fails whether or not the function will be called. What
// several functions have together is looked at when they are called.
void check_local_memory(const Kernel& kernel) {
  const std::uint64_t all = local_bytes_with_calls(kernel), called = all - kernel.local_bytes;
  if (all <= most_local_memory) return;
  std::string of = called == 0 ? ""
                               : ", " + std::to_string(called) + " of them for " +
                                     demangle(std::string(kernel.largest_called->source->name)) + ", which it calls";
  throw CallError(CUDA_ERROR_INVALID_VALUE, "a thread of " + demangle(kernel.name) + " needs " + std::to_string(all) +
                                                " bytes of local memory" + of + ", and has " +
                                                std::to_string(most_local_memory) + " at most");
}

void check_resources(const FunctionState& function, const LaunchSizes& sizes) {
  const Kernel& kernel = *function.kernel;
  if (sizes.block.count() > kernel.max_threads || !has_required_size(kernel, sizes.block))
    throw CallError(CUDA_ERROR_INVALID_VALUE, "a block of " + std::to_string(sizes.block.count()) +
                                                  " threads is not what " + demangle(kernel.name) +
                                                  " was compiled for");
  check_local_memory(kernel);
  require(sizes.shared_bytes <= max_dynamic_shared(function));
  const std::optional<Dim3> cluster = effective_cluster(function, sizes.cluster);
  if (cluster) check_cluster(function, *cluster, sizes.grid);
  if (!sizes.cooperative) return;
  if (sizes.grid.count() > all_resident_blocks(function, sizes, cluster))
    throw CallError(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "");
}

void copy_from_pointers(const Kernel& kernel, void** params, std::vector<std::byte>& out) {
  if (kernel.params.empty()) return;
  require(params != nullptr);
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    require(params[i] != nullptr);
    std::memcpy(out.data() + kernel.params[i].offset, params[i], kernel.params[i].size);
  }
}

void copy_from_extra(const Kernel& kernel, void** extra, std::vector<std::byte>& out) {
  const void* buffer = nullptr;
  std::size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<const std::size_t*>(extra[1]);
    else
      require(false);
  }
  require(size == 0 || buffer != nullptr);
  require(size >= kernel.param_bytes);
  if (!out.empty()) std::memcpy(out.data(), buffer, out.size());
}

// Of a kernel that a kernel launches: as the program has set it for the kernel's function, if it has.
std::uint64_t max_dynamic_shared_of(const Kernel& kernel, const void* context) {
  const auto is_its = [&](const FunctionState& each) { return each.kernel == &kernel && each.context == context; };
  for (const std::shared_ptr<FunctionState>& each : Functions::get().all())
    if (is_its(*each)) return max_dynamic_shared(*each);
  const int most = device_attribute(kernel.code->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  return static_cast<std::uint64_t>(most) - std::min(static_cast<std::uint32_t>(most), kernel.static_shared);
}

void take(const LaunchSizes& sizes, const FunctionState& function, LaunchRequest& request) {
  const std::optional<Dim3> cluster = effective_cluster(function, sizes.cluster);
  request.cluster = cluster.value_or(Dim3{});
  request.explicit_cluster = cluster.has_value();
  request.grid = sizes.grid;
  request.block = sizes.block;
  request.shared_bytes = sizes.shared_bytes;
  request.cooperative = sizes.cooperative;
}

}  // namespace

CUresult PreparedLaunch::run() const {
  const LaunchOutcome outcome = run_launch(request);
  if (outcome.result == CUDA_SUCCESS) return CUDA_SUCCESS;
  log(outcome.report);
  set_kernel_failure(outcome.result, short_report(outcome.report));
  return outcome.result;
}

LaunchSizes sizes_of(const PreparedLaunch& launch) {
  const LaunchRequest& request = launch.request;
  LaunchSizes sizes{request.grid, request.block, request.shared_bytes, request.cooperative};
  if (request.explicit_cluster) sizes.cluster = request.cluster;
  return sizes;
}

std::shared_ptr<const PreparedLaunch> with_sizes(const PreparedLaunch& launch, const LaunchSizes& sizes) {
  check_sizes(sizes, launch.function->context->device());
  check_resources(*launch.function, sizes);
  auto made = std::make_shared<PreparedLaunch>(launch);
  take(sizes, *made->function, made->request);
  return made;
}

std::shared_ptr<const PreparedLaunch> prepare_launch(CUfunction handle, Context& context, const LaunchSizes& sizes,
                                                     void** params, void** extra) {
  auto launch = std::make_shared<PreparedLaunch>();
  launch->function = function_of(handle, &context);
  const FunctionState& function = *launch->function;
  check_sizes(sizes, function.context->device());
  check_resources(function, sizes);
  require(params == nullptr || extra == nullptr);
  LaunchRequest& request = launch->request;
  request.kernel = function.kernel;
  take(sizes, function, request);
  request.stack_limit = function.context->limit(CU_LIMIT_STACK_SIZE);
  request.context = function.context;
  request.pending_limit = function.context->limit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
  request.printf_limit = function.context->limit(CU_LIMIT_PRINTF_FIFO_SIZE);
  request.max_dynamic_shared = max_dynamic_shared_of;
  request.params.resize(function.kernel->param_bytes);
  if (extra != nullptr)
    copy_from_extra(*function.kernel, extra, request.params);
  else
    copy_from_pointers(*function.kernel, params, request.params);
  return launch;
}

}  // namespace kiln::emulator
