#include "emulator/provider/code/occupancy.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/core/occupancy.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

std::size_t attribute(const FunctionState& function, CUdevice_attribute attribute) {
  return static_cast<std::size_t>(device_attribute(function.context->device(), attribute));
}

}  // namespace

std::size_t max_dynamic_shared_opt_in(const FunctionState& function) {
  const std::size_t most = attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return most - std::min<std::size_t>(most, function.kernel->static_shared);
}

std::size_t max_dynamic_shared(const FunctionState& function) {
  const int raised = function.settings->max_dynamic_shared;
  if (raised >= 0) return std::min(static_cast<std::size_t>(raised), max_dynamic_shared_opt_in(function));
  const std::size_t usual = attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  return usual - std::min<std::size_t>(usual, function.kernel->static_shared);
}

int resident_blocks(const FunctionState& function, int block_size, std::size_t dynamic_shared) {
  const std::size_t shared = function.kernel->static_shared + dynamic_shared;
  if (block_size <= 0 || static_cast<std::uint32_t>(block_size) > function.kernel->max_threads) return 0;
  if (shared > attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)) return 0;
  return static_cast<int>(block_limits({static_cast<std::uint32_t>(block_size), 0, shared}).least());
}

}  // namespace kiln::emulator
