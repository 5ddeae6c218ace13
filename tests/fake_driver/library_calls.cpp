// Libraries, their kernels and variables.
#include "fake_state.hpp"

#include <kiln/error.hpp>

#include <algorithm>

using fake_cuda::call;
using fake_cuda::Context;
using fake_cuda::current_context;
using fake_cuda::find;
using fake_cuda::Function;
using fake_cuda::Kernel;
using fake_cuda::Library;
using fake_cuda::State;

namespace {

constexpr int default_shared_limit = 49152;
constexpr int largest_shared_limit = 232448;

bool runs_somewhere(const State& state, const Library& library) {
  return std::any_of(state.capabilities.begin(), state.capabilities.end(),
                     [&](int capability) { return library.image.runs_on(capability); });
}

bool runs_on(const State& state, const Library& library, int device) {
  return library.image.runs_on(state.capabilities[static_cast<std::size_t>(device)]);
}

Kernel* find_kernel(const State& state, CUkernel handle) {
  return state.kernels.count(handle) != 0 ? reinterpret_cast<Kernel*>(handle) : nullptr;
}

// The bytes of a variable on the current device.
CUresult get_variable(State& state, CUdeviceptr* address, std::size_t* size, CUlibrary handle, const char* name,
                      bool managed_only) {
  Library* library = find(state.libraries, handle);
  if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const Context* context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (!runs_on(state, *library, context->device)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  const auto variable = library->image.variables.find(name);
  if (variable == library->image.variables.end() || (managed_only && !variable->second.managed))
    return CUDA_ERROR_NOT_FOUND;
  // One for all devices where it is managed.
  const int device = variable->second.managed ? -1 : context->device;
  std::vector<char>& bytes = library->globals[{name, device}];
  if (bytes.empty()) {
    const std::string& initial = variable->second.initial;
    bytes.assign(initial.begin(), initial.end());
    bytes.resize(std::max<std::size_t>(variable->second.size, 1));
  }
  const auto found = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(bytes.data()));
  state.sizes[found] = variable->second.size;
  if (address != nullptr) *address = found;
  if (size != nullptr) *size = variable->second.size;
  return CUDA_SUCCESS;
}

int attribute(const Kernel& kernel, CUfunction_attribute which, int capability, int device) {
  const int shared = std::max(kernel.info.shared_bytes, 0);
  if (const auto set = kernel.attributes.find({device, which}); set != kernel.attributes.end()) return set->second;
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return 1024;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return shared;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return std::max(kernel.info.constant_bytes, 0);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return std::max(kernel.info.local_bytes, 0);
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return kernel.info.registers > 0 ? kernel.info.registers : 16;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return capability;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
      const auto set = kernel.max_dynamic_shared.find(device);
      return set != kernel.max_dynamic_shared.end() ? set->second : default_shared_limit - shared;
    }
    default:
      return 0;
  }
}

}  // namespace

extern "C" {

CUresult cuLibraryLoadData(CUlibrary* handle, const void* code, CUjit_option*, void**, unsigned, CUlibraryOption*,
                           void**, unsigned) {
  return call("cuLibraryLoadData", [&](State& state) {
    auto library = std::make_unique<Library>();
    try {
      library->image = fake_cuda::read_image(code);
    } catch (const kiln::Error&) {
      return CUDA_ERROR_INVALID_IMAGE;
    }
    for (const kiln::KernelInfo& info : library->image.info.kernels) {
      library->kernels.push_back(std::make_unique<Kernel>(Kernel{library.get(), info, {}, {}}));
      state.kernels.insert(library->kernels.back().get());
    }
    *handle = reinterpret_cast<CUlibrary>(library.get());
    state.libraries[*handle] = std::move(library);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryUnload(CUlibrary handle) {
  return call("cuLibraryUnload", [&](State& state) {
    const Library* library = find(state.libraries, handle);
    if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    for (const auto& kernel : library->kernels) state.kernels.erase(kernel.get());
    for (const auto& item : library->functions) state.functions.erase(item.second.get());
    for (const auto& item : library->globals)
      state.sizes.erase(static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(item.second.data())));
    state.libraries.erase(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernel(CUkernel* handle, CUlibrary library_handle, const char* name) {
  return call("cuLibraryGetKernel", [&](State& state) {
    const Library* library = find(state.libraries, library_handle);
    if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!runs_somewhere(state, *library)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    for (const auto& kernel : library->kernels) {
      if (kernel->info.name != name) continue;
      *handle = reinterpret_cast<CUkernel>(kernel.get());
      return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* size, CUlibrary library, const char* name) {
  return call("cuLibraryGetGlobal",
              [&](State& state) { return get_variable(state, address, size, library, name, false); });
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, std::size_t* size, CUlibrary library, const char* name) {
  return call("cuLibraryGetManaged",
              [&](State& state) { return get_variable(state, address, size, library, name, true); });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel handle) {
  return call("cuKernelGetFunction", [&](State& state) {
    Kernel* kernel = find_kernel(state, handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const Context* context = current_context();
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (!runs_on(state, *kernel->library, context->device)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    std::unique_ptr<Function>& made = kernel->library->functions[{kernel, context}];
    if (!made) made = std::make_unique<Function>(Function{kernel, context});
    state.functions.insert(made.get());
    *function = reinterpret_cast<CUfunction>(made.get());
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute which, CUkernel handle, CUdevice device) {
  return call("cuKernelGetAttribute", [&](State& state) {
    const Kernel* kernel = find_kernel(state, handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (!runs_on(state, *kernel->library, device)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    *value = attribute(*kernel, which, state.capabilities[static_cast<std::size_t>(device)], device);
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel handle, CUdevice device) {
  return call("cuKernelSetAttribute", [&](State& state) {
    Kernel* kernel = find_kernel(state, handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (which < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || which >= CU_FUNC_ATTRIBUTE_MAX)
      return CUDA_ERROR_INVALID_VALUE;
    if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
      kernel->attributes[{device, which}] = value;
      return CUDA_SUCCESS;
    }
    if (value < 0 || value > largest_shared_limit - std::max(kernel->info.shared_bytes, 0))
      return CUDA_ERROR_INVALID_VALUE;
    kernel->max_dynamic_shared[device] = value;
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel handle) {
  return call("cuKernelGetName", [&](State& state) {
    const Kernel* kernel = find_kernel(state, handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *name = kernel->info.name.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetParamInfo(CUkernel handle, std::size_t index, std::size_t* offset, std::size_t* size) {
  return call("cuKernelGetParamInfo", [&](State& state) {
    const Kernel* kernel = find_kernel(state, handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (index >= kernel->info.parameters.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = kernel->info.parameters[index].offset;
    if (size != nullptr) *size = kernel->info.parameters[index].size;
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary handle) {
  return call("cuLibraryGetKernelCount", [&](State& state) {
    const Library* library = find(state.libraries, handle);
    if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(library->kernels.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary handle) {
  return call("cuLibraryEnumerateKernels", [&](State& state) {
    const Library* library = find(state.libraries, handle);
    if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    for (std::size_t i = 0; i < count && i < library->kernels.size(); ++i)
      kernels[i] = reinterpret_cast<CUkernel>(library->kernels[i].get());
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
