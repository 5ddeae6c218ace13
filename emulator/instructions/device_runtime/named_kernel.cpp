#include "emulator/instructions/device_runtime/named_kernel.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/lowering/code_registry.hpp"

#include <algorithm>

namespace kiln::emulator {

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
