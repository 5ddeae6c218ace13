#include "emulator/provider/code/function_attributes.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/code/occupancy.hpp"
#include "emulator/provider/context/call.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH and the two that follow it.
std::size_t axis_of(CUfunction_attribute attribute) {
  return static_cast<std::size_t>(attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
}

int required_size(const FunctionState& function, std::size_t axis) {
  const std::optional<Dim3> required = required_cluster(function);
  if (!required) return 0;
  return static_cast<int>(axis == 0 ? required->x : axis == 1 ? required->y : required->z);
}

void set_required_size(const FunctionState& function, std::size_t axis, int value) {
  if (function.kernel->code->source->directives.reqnctapercluster[0] != 0)
    throw CallError(CUDA_ERROR_NOT_PERMITTED, "the kernel was compiled with a size of its clusters");
  require(value >= 0);
  function.settings->required_cluster[axis] = value;
}

}  // namespace

int function_attribute(const FunctionState& function, CUfunction_attribute attribute) {
  const Kernel& kernel = *function.kernel;
  const ptx::Module& module = function.image->module();
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return static_cast<int>(kernel.max_threads);
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(kernel.static_shared);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return static_cast<int>(kernel.constant_bytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(local_bytes_with_calls(kernel));
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      throw CallError(
          CUDA_ERROR_NOT_SUPPORTED,
          "the emulator runs PTX, whose kernels have no number of registers: ptxas chooses it for machine code");
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      return static_cast<int>(module.sm);
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return static_cast<int>(device_arch());
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return static_cast<int>(max_dynamic_shared(function));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return function.settings->carveout;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return required_size(function, axis_of(attribute));
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      return must_state_cluster(function) ? 1 : 0;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      return function.settings->non_portable_cluster;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return function.settings->cluster_policy;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      return 0;
    default:
      throw CallError(CUDA_ERROR_INVALID_VALUE, "");
  }
}

void set_function_attribute(const FunctionState& function, CUfunction_attribute attribute, int value) {
  FunctionSettings& settings = *function.settings;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      require(value >= 0 && static_cast<std::size_t>(value) <= max_dynamic_shared_opt_in(function));
      settings.max_dynamic_shared = value;
      return;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      require(value >= -1 && value <= 100);
      settings.carveout = value;
      return;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      require(value == 0 || value == 1);
      settings.non_portable_cluster = value;
      return;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return set_required_size(function, axis_of(attribute), value);
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      require(value >= CU_CLUSTER_SCHEDULING_POLICY_DEFAULT && value <= CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING);
      settings.cluster_policy = value;
      return;
    default:
      throw CallError(CUDA_ERROR_INVALID_VALUE, "");
  }
}

ParamPlace parameter(const FunctionState& function, std::size_t number) {
  require(number < function.kernel->params.size());
  return function.kernel->params[number];
}

}  // namespace kiln::emulator
