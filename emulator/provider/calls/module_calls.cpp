// Modules: code loaded into the current context.
#include "emulator/provider/code/function.hpp"
#include "emulator/provider/code/load.hpp"
#include "emulator/provider/context/call.hpp"

namespace {

using namespace kiln::emulator;

std::shared_ptr<ModuleState> module_of(CUmodule handle) {
  std::shared_ptr<ModuleState> module = Modules::get().find(handle);
  if (module == nullptr) throw CallError(CUDA_ERROR_INVALID_HANDLE, "");
  return module;
}

template <class Code>
CUresult load_module(CUmodule* out, const Code& code, JitLog log) {
  Context& context = current_context();
  std::shared_ptr<LibraryState> library = load_library(code, log);
  library->publish(nullptr);
  *out = Modules::get().add(std::make_shared<ModuleState>(ModuleState{std::move(library), context}));
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuModuleLoadData(CUmodule* out, const void* code) {
  return call(__func__, [&] {
    require(out != nullptr && code != nullptr);
    return load_module(out, code, {});
  });
}

KILN_EMULATOR_API cuModuleLoadDataEx(CUmodule* out, const void* code, unsigned count, CUjit_option* options,
                                     void** values) {
  return call(__func__, [&] {
    require(out != nullptr && code != nullptr);
    return load_module(out, code, JitLog(count, options, values));
  });
}

KILN_EMULATOR_API cuModuleLoadFatBinary(CUmodule* out, const void* code) {
  return call(__func__, [&] {
    require(out != nullptr && code != nullptr);
    return load_module(out, code, {});
  });
}

KILN_EMULATOR_API cuModuleLoad(CUmodule* out, const char* path) {
  return call(__func__, [&] {
    require(out != nullptr && path != nullptr);
    return load_module(out, read_code_file(path), {});
  });
}

KILN_EMULATOR_API cuModuleUnload(CUmodule handle) {
  return call(__func__,
              [&] { return Modules::get().take(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; });
}

KILN_EMULATOR_API cuModuleGetLoadingMode(CUmoduleLoadingMode* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuModuleGetFunction(CUfunction* out, CUmodule handle, const char* name) {
  return call(__func__, [&] {
    require(out != nullptr && name != nullptr);
    const std::shared_ptr<ModuleState> module = module_of(handle);
    const CUkernel kernel = module->library->kernel(name);
    if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
    *out = module->library->function(*kernel_of(kernel), module->context);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuModuleGetFunctionCount(unsigned* out, CUmodule handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = static_cast<unsigned>(module_of(handle)->library->kernels().size());
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuModuleGetGlobal(CUdeviceptr* address, size_t* size, CUmodule handle, const char* name) {
  return call(__func__, [&] {
    require(name != nullptr && (address != nullptr || size != nullptr));
    const std::shared_ptr<ModuleState> module = module_of(handle);
    const ImageVariable* const variable = module->library->image(module->context)->variable(name);
    if (variable == nullptr) return CUDA_ERROR_NOT_FOUND;
    if (address != nullptr) *address = variable->address;
    if (size != nullptr) *size = variable->size;
    return CUDA_SUCCESS;
  });
}
