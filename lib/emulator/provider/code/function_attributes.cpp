#include "emulator/provider/code/function_attributes.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/code/occupancy.hpp"
#include "emulator/provider/context/call.hpp"

#include <algorithm>

namespace kiln::emulator {
int function_attribute(const FunctionState& function, CUfunction_attribute attribute) {
  const Kernel& kernel = *function.kernel;
  const ptx::Module& module = function.image->module();
  const auto& cluster = kernel.code->source->directives.reqnctapercluster;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return static_cast<int>(kernel.max_threads);
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(kernel.static_shared);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return static_cast<int>(kernel.constant_bytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(kernel.local_bytes);
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
      return static_cast<int>(cluster[0]);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      return static_cast<int>(cluster[1]);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return static_cast<int>(cluster[2]);
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      return cluster[0] != 0 ? 1 : 0;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      return function.settings->non_portable_cluster;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
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
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
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
