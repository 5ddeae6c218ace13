#include "toolkit/libraries/nvvm_library.hpp"

#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>

namespace kiln {
namespace {

std::atomic<const NvvmLibrary*> nvvm_in_use{nullptr};

void bind_nvvm(const LibraryBinder& library, NvvmLibrary& nvvm) {
  library.bind(nvvm.get_error_string, "nvvmGetErrorString");
  library.bind(nvvm.version, "nvvmVersion");
  library.bind(nvvm.get_ir_version, "nvvmIRVersion");
  library.bind(nvvm.create_program, "nvvmCreateProgram");
  library.bind(nvvm.destroy_program, "nvvmDestroyProgram");
  library.bind(nvvm.add_module_to_program, "nvvmAddModuleToProgram");
  library.bind(nvvm.lazy_add_module_to_program, "nvvmLazyAddModuleToProgram");
  library.bind(nvvm.verify_program, "nvvmVerifyProgram");
  library.bind(nvvm.compile_program, "nvvmCompileProgram");
  library.bind(nvvm.get_compiled_result_size, "nvvmGetCompiledResultSize");
  library.bind(nvvm.get_compiled_result, "nvvmGetCompiledResult");
  library.bind(nvvm.get_program_log_size, "nvvmGetProgramLogSize");
  library.bind(nvvm.get_program_log, "nvvmGetProgramLog");
  library.bind_newer(nvvm.llvm_version, "nvvmLLVMVersion", "13.1", "libnvvm");
}

void check_nvvm(const NvvmLibrary& nvvm, int result, const char* call) {
  if (result != 0)
    throw ToolkitError(std::string(call) + " of " + nvvm.path + " failed: " + nvvm.get_error_string(result),
                       {nvvm.path});
}

std::unique_ptr<const NvvmLibrary> open_nvvm(const std::string& file) {
  const LibraryBinder library(file, "libnvvm of CUDA 12.0 or newer", nvvm_advice());
  auto nvvm = std::make_unique<NvvmLibrary>();
  nvvm->path = library.path();
  bind_nvvm(library, *nvvm);
  return nvvm;
}

}  // namespace

const NvvmLibrary& NvvmLibrary::get() {
  if (const NvvmLibrary* nvvm = nvvm_in_use.load(std::memory_order_acquire)) return *nvvm;
  const NvrtcUse use(NvrtcUse::Purpose::opening);
  return keep_first(nvvm_in_use, open_nvvm(require_nvvm()));
}

const NvvmLibrary& NvvmLibrary::get(const std::string& file) {
  const NvrtcUse use(NvrtcUse::Purpose::opening);
  return keep_first(nvvm_in_use, open_nvvm(file));
}

bool NvvmLibrary::is_open() noexcept { return nvvm_in_use.load(std::memory_order_acquire) != nullptr; }

std::pair<int, int> NvvmLibrary::version_number() const {
  int major = 0;
  int minor = 0;
  check_nvvm(*this, version(&major, &minor), "nvvmVersion");
  return {major, minor};
}

NvvmIrVersion NvvmLibrary::ir_version() const {
  NvvmIrVersion number;
  check_nvvm(*this, get_ir_version(&number.major, &number.minor, &number.debug_major, &number.debug_minor),
             "nvvmIRVersion");
  return number;
}

}  // namespace kiln
