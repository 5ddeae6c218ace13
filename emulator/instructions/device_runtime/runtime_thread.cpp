#include "emulator/instructions/device_runtime/runtime_thread.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/lowering/code_registry.hpp"

#include <algorithm>

namespace kiln::emulator {

namespace {

std::uint64_t linear_number(const Dim3& index, const Dim3& size) {
  return (std::uint64_t{index.z} * size.y + index.y) * size.x + index.x;
}

}  // namespace

RuntimeThread::RuntimeThread(const BuiltinCall& call, unsigned lane)
    : call_(call), lane_(lane), grid_(grid_of(call.warp.block().launch())) {
  const Block& block = call.warp.block();
  const LaunchRequest& launch = block.request();
  block_ = linear_number(block.index(), launch.grid);
  number_ = block_ * launch.block.count() + linear_number(block.thread(call.warp, lane), launch.block);
}

void RuntimeThread::returns(DeviceError error) const {
  if (error != DeviceError::success) fails(error);
  call_.set_result(lane_, error);
}

ThreadPlace RuntimeThread::place() const {
  const Block& block = call_.warp.block();
  const Group& group = call_.warp.current();
  return {block.index(), block.thread(call_.warp, lane_), group.frame->code, group.pc - 1};
}

DeviceStream RuntimeThread::stream(std::uint64_t handle, bool per_thread) const {
  if (handle == DeviceStream::per_thread || (handle == DeviceStream::null && per_thread))
    return {DeviceStream::per_thread, number_};
  return {handle, handle == DeviceStream::null ? block_ : 0};
}

const Kernel* kernel_at(std::uint64_t address) {
  const Code* const code = code_at(address);
  return code == nullptr ? nullptr : code->kernel;
}

std::uint64_t max_dynamic_shared(const Kernel& kernel, const LaunchRequest& running) {
  if (running.max_dynamic_shared != nullptr) return running.max_dynamic_shared(kernel, running.context);
  const auto usual = static_cast<std::uint64_t>(
      device_attribute(kernel.code->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  return usual - std::min<std::uint64_t>(usual, kernel.static_shared);
}

}  // namespace kiln::emulator
