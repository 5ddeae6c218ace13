// Launches by kernels. child<<<grid, block, shared, stream>>>(...) becomes a call of cudaGetParameterBufferV2, stores
// of the parameters, and a call of cudaLaunchDeviceV2.
#include "emulator/core/device_attributes.hpp"
#include "emulator/instructions/device_runtime/runtime_thread.hpp"
#include "emulator/machine/memory_checks.hpp"
#include "emulator/memory/windows.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace kiln::emulator {
namespace {

using Prepared = GridTree::Prepared;

bool fits_device(const Dim3& size, int device, const CUdevice_attribute (&limits)[3]) {
  const std::uint32_t values[3] = {size.x, size.y, size.z};
  for (int i = 0; i < 3; ++i)
    if (values[i] == 0 || values[i] > static_cast<std::uint32_t>(device_attribute(device, limits[i]))) return false;
  return true;
}

void refuse_clusters(const Kernel& kernel, unsigned lane) {
  for (const std::uint32_t size : kernel.code->source->directives.reqnctapercluster)
    if (size > 1)
      throw Fault(CUDA_ERROR_NOT_SUPPORTED, lane,
                  "the emulator does not do launches of clusters by kernels: " + demangle(kernel.name));
}

DeviceError check_launch(const Prepared& launch, const RuntimeThread& thread) {
  const int device = thread.device();
  if (launch.kernel == nullptr) return DeviceError::invalid_device_function;
  if (!fits_device(launch.grid, device,
                   {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
                    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z}) ||
      !fits_device(launch.block, device,
                   {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
                    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z}))
    return DeviceError::invalid_configuration;
  const std::uint64_t threads = launch.block.count();
  if (threads > static_cast<std::uint64_t>(device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)))
    return DeviceError::invalid_configuration;
  const std::uint32_t(&required)[3] = launch.kernel->code->source->directives.reqntid;
  const bool has_required =
      required[0] == 0 || (launch.block.x == required[0] && launch.block.y == std::max(required[1], 1u) &&
                           launch.block.z == std::max(required[2], 1u));
  if (threads > launch.kernel->max_threads || !has_required) return DeviceError::launch_out_of_resources;
  if (launch.shared_bytes > max_dynamic_shared(*launch.kernel, thread.grid().request))
    return DeviceError::launch_out_of_resources;
  refuse_clusters(*launch.kernel, thread.lane());
  return DeviceError::success;
}

// Other threads do not have the memory that such a pointer refers to, and would access their own.
void refuse_own_pointers(const Kernel& kernel, const std::vector<std::byte>& params, unsigned lane) {
  for (const ParamPlace& param : kernel.params) {
    std::uint64_t value = 0;
    if (param.size != sizeof(value)) continue;
    std::memcpy(&value, params.data() + param.offset, sizeof(value));
    const bool is_local = in_window(value, local_window);
    if (is_local || in_window(value, shared_window))
      throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
                  "gives " + demangle(kernel.name) + " a pointer to its own " + (is_local ? "local" : "shared") +
                      " memory, which a kernel that it launches cannot access");
  }
}

DeviceError launch_checked(const RuntimeThread& thread, const Prepared& launch, std::vector<std::byte> params,
                           DeviceStream stream) {
  if (const DeviceError wrong = check_launch(launch, thread); wrong != DeviceError::success) return wrong;
  if (const DeviceError wrong = thread.tree().may_launch(); wrong != DeviceError::success) return wrong;
  if (params.size() < launch.kernel->param_bytes) return DeviceError::invalid_value;
  refuse_own_pointers(*launch.kernel, params, thread.lane());
  const LaunchRequest& from = thread.grid().request;
  LaunchRequest request;
  request.kernel = launch.kernel;
  request.grid = launch.grid;
  request.block = launch.block;
  request.shared_bytes = launch.shared_bytes;
  params.resize(launch.kernel->param_bytes);
  request.params = std::move(params);
  request.stack_limit = from.stack_limit;
  request.context = from.context;
  request.pending_limit = from.pending_limit;
  request.printf_limit = from.printf_limit;
  request.max_dynamic_shared = from.max_dynamic_shared;
  return thread.tree().launch(thread.grid(), stream, thread.place(), request);
}

// Gives the buffer's address, or null with an error.
void give_buffer(const RuntimeThread& thread, const Prepared& launch) {
  const std::uint64_t address = thread.tree().make_buffer(launch);
  if (address == 0)
    thread.fails(DeviceError::memory_allocation);
  else if (MemoryChecks* const checks = thread.call().warp.block().checks())
    checks->reuse(address, launch.size);
  thread.call().set_result(thread.lane(), address);
}

// void* cudaGetParameterBufferV2(function, grid, block, dynamic shared memory)
void get_parameter_buffer_v2(BuiltinCall& call) {
  each_lane(call.active, [&](unsigned lane) {
    const RuntimeThread thread(call, lane);
    Prepared launch{kernel_at(thread.argument<std::uint64_t>(0)), thread.argument<Dim3>(1), thread.argument<Dim3>(2),
                    thread.argument<std::uint32_t>(3)};
    DeviceError wrong = check_launch(launch, thread);
    if (wrong == DeviceError::success) wrong = thread.tree().may_launch();
    if (wrong != DeviceError::success) {
      thread.fails(wrong);
      return call.set_result(lane, std::uint64_t{0});
    }
    launch.size = launch.kernel->param_bytes;
    give_buffer(thread, launch);
  });
}

// cudaError_t cudaLaunchDeviceV2(buffer, stream)
template <bool per_thread>
void launch_device_v2(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    Prepared launch;
    std::vector<std::byte> params;
    if (!thread.tree().take_buffer(thread.argument<std::uint64_t>(0), launch, params) || launch.kernel == nullptr)
      return DeviceError::invalid_value;
    return launch_checked(thread, launch, std::move(params),
                          thread.stream(thread.argument<std::uint64_t>(1), per_thread));
  });
}

// void* cudaGetParameterBuffer(alignment, size)
void get_parameter_buffer(BuiltinCall& call) {
  each_lane(call.active, [&](unsigned lane) {
    const RuntimeThread thread(call, lane);
    give_buffer(thread, {nullptr, {}, {}, 0, thread.argument<std::uint64_t>(1)});
  });
}

// cudaError_t cudaLaunchDevice(function, buffer, grid, block, dynamic shared memory, stream)
template <bool per_thread>
void launch_device(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    Prepared launch;
    std::vector<std::byte> params;
    const auto buffer = thread.argument<std::uint64_t>(1);
    if (buffer != 0 && !thread.tree().take_buffer(buffer, launch, params)) return DeviceError::invalid_value;
    launch = {kernel_at(thread.argument<std::uint64_t>(0)), thread.argument<Dim3>(2), thread.argument<Dim3>(3),
              thread.argument<std::uint32_t>(4)};
    return launch_checked(thread, launch, std::move(params),
                          thread.stream(thread.argument<std::uint64_t>(5), per_thread));
  });
}

}  // namespace

std::span<const BuiltinRow> launch_function_rows() {
  static constexpr BuiltinRow rows[] = {
      {"GetParameterBufferV2", get_parameter_buffer_v2},
      {"LaunchDeviceV2", launch_device_v2<false>},
      {"LaunchDeviceV2_ptsz", launch_device_v2<true>},
      {"GetParameterBuffer", get_parameter_buffer},
      {"LaunchDevice", launch_device<false>},
      {"LaunchDevice_ptsz", launch_device<true>},
  };
  return rows;
}

}  // namespace kiln::emulator
