// Libraries: code loaded for all contexts, with its kernels and variables.
#include "emulator/provider/code/load.hpp"
#include "emulator/provider/context/call.hpp"

#include <cstdio>

namespace {

using namespace kiln::emulator;

std::shared_ptr<LibraryState> library_behind(CUlibrary handle) {
  std::shared_ptr<LibraryState> library = Libraries::get().find(handle);
  if (library == nullptr) throw CallError(CUDA_ERROR_INVALID_HANDLE, "");
  return library;
}

CUresult give_library(CUlibrary* out, const std::shared_ptr<LibraryState>& library) {
  *out = Libraries::get().add(library);
  library->publish(*out);
  return CUDA_SUCCESS;
}

CUresult give_variable(CUdeviceptr* address, size_t* size, CUlibrary handle, const char* name, bool managed) {
  require(name != nullptr && (address != nullptr || size != nullptr));
  const std::shared_ptr<const Image> image = library_behind(handle)->image(current_context());
  const ImageVariable* const variable = image->variable(name);
  if (variable == nullptr || variable->managed != managed) return CUDA_ERROR_NOT_FOUND;
  if (address != nullptr) *address = variable->address;
  if (size != nullptr) *size = variable->size;
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuLibraryLoadData(CUlibrary* out, const void* code, CUjit_option* options, void** values,
                                    unsigned count, CUlibraryOption*, void**, unsigned) {
  return call_anyway(__func__, [&] {
    require(out != nullptr && code != nullptr);
    JitLog log(count, options, values);
    return give_library(out, load_library(code, log));
  });
}

KILN_EMULATOR_API cuLibraryLoadFromFile(CUlibrary* out, const char* path, CUjit_option* options, void** values,
                                        unsigned count, CUlibraryOption*, void**, unsigned) {
  return call_anyway(__func__, [&] {
    require(out != nullptr && path != nullptr);
    JitLog log(count, options, values);
    return give_library(out, load_library(read_code_file(path), log));
  });
}

KILN_EMULATOR_API cuLibraryUnload(CUlibrary handle) {
  return call(__func__,
              [&] { return Libraries::get().take(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; });
}

KILN_EMULATOR_API cuLibraryGetKernel(CUkernel* out, CUlibrary handle, const char* name) {
  return call(__func__, [&] {
    require(out != nullptr && name != nullptr);
    const CUkernel kernel = library_behind(handle)->kernel(name);
    if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
    *out = kernel;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuLibraryGetKernelCount(unsigned* out, CUlibrary handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = static_cast<unsigned>(library_behind(handle)->kernels().size());
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuLibraryEnumerateKernels(CUkernel* out, unsigned count, CUlibrary handle) {
  return call(__func__, [&] {
    require(out != nullptr || count == 0);
    const std::shared_ptr<LibraryState> library = library_behind(handle);
    for (unsigned i = 0; i < count && i < library->kernels().size(); ++i) out[i] = library->kernels()[i];
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuLibraryGetModule(CUmodule*, CUlibrary) {
  return call(__func__, [&] { return not_supported("cuLibraryGetModule"); });
}

KILN_EMULATOR_API cuLibraryGetGlobal(CUdeviceptr* address, size_t* size, CUlibrary handle, const char* name) {
  return call(__func__, [&] { return give_variable(address, size, handle, name, false); });
}

KILN_EMULATOR_API cuLibraryGetManaged(CUdeviceptr* address, size_t* size, CUlibrary handle, const char* name) {
  return call(__func__, [&] { return give_variable(address, size, handle, name, true); });
}
