// Kernels of libraries and functions of modules: names, parameters, attributes.
#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/code/function.hpp"
#include "emulator/provider/code/function_attributes.hpp"
#include "emulator/provider/context/call.hpp"

namespace {

using namespace kiln::emulator;

std::shared_ptr<LibraryState> library_of_kernel(const KernelState& kernel) {
  std::shared_ptr<LibraryState> library = kernel.library.lock();
  if (library == nullptr) throw CallError(CUDA_ERROR_INVALID_HANDLE, "the kernel's library was unloaded");
  return library;
}

// The kernel on a device: in the current context if it is on that device, otherwise in the primary one.
std::shared_ptr<FunctionState> function_on(CUkernel handle, CUdevice device) {
  check_device(device);
  const std::shared_ptr<KernelState> kernel = kernel_of(handle);
  Context* const current = current_context_or_null();
  Context& context = current != nullptr && current->device() == device ? *current : primary_context(device);
  return function_of(library_of_kernel(*kernel)->function(*kernel, context));
}

CUresult give_parameter(const FunctionState& function, size_t index, size_t* offset, size_t* size) {
  require(offset != nullptr);
  const ParamPlace place = parameter(function, index);
  *offset = place.offset;
  if (size != nullptr) *size = place.size;
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuKernelGetFunction(CUfunction* out, CUkernel handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    const std::shared_ptr<KernelState> kernel = kernel_of(handle);
    *out = library_of_kernel(*kernel)->function(*kernel, current_context());
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuKernelGetLibrary(CUlibrary* out, CUkernel handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = kernel_of(handle)->library_handle;
    return CUDA_SUCCESS;
  });
}

// The name is valid as long as the library.
KILN_EMULATOR_API cuKernelGetName(const char** out, CUkernel handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = kernel_of(handle)->name.c_str();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuKernelGetAttribute(int* out, CUfunction_attribute attribute, CUkernel handle, CUdevice device) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = function_attribute(*function_on(handle, device), attribute);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle, CUdevice device) {
  return call(__func__, [&] {
    set_function_attribute(*function_on(handle, device), attribute, value);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice device) {
  return call(__func__, [&] {
    require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL);
    (void)kernel_of(handle);
    check_device(device);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuKernelGetParamInfo(CUkernel handle, size_t index, size_t* offset, size_t* size) {
  return call(__func__, [&] {
    const std::shared_ptr<KernelState> kernel = kernel_of(handle);
    Context* const current = current_context_or_null();
    return give_parameter(*function_on(handle, current == nullptr ? 0 : current->device()), index, offset, size);
  });
}

KILN_EMULATOR_API cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset, size_t* size) {
  return call(__func__, [&] { return give_parameter(*function_of(handle), index, offset, size); });
}

KILN_EMULATOR_API cuFuncGetAttribute(int* out, CUfunction_attribute attribute, CUfunction handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = function_attribute(*function_of(handle), attribute);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  return call(__func__, [&] {
    set_function_attribute(*function_of(handle), attribute, value);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache) {
  return call(__func__, [&] {
    (void)function_of(handle);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuFuncGetName(const char** out, CUfunction handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = function_of(handle)->kernel->name.c_str();
    return CUDA_SUCCESS;
  });
}
