#include "module/image.hpp"

#include "base/default_float_environment.hpp"
#include "base/range.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "module/refused_code.hpp"

#include <array>

namespace kiln {

/// What the driver's own compiler says of PTX that it refuses.
struct Image::JitLog {
  std::array<char, 4096> text = {};
  std::array<CUjit_option, 2> options = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver takes the size as a pointer's value.
  std::array<void*, 2> values = {text.data(), reinterpret_cast<void*>(text.size() - 1)};
};

void Image::check(int result, const char* call, const std::string& context) const {
  if (result == CUDA_SUCCESS) return;
  const std::shared_ptr<const CodeData> code = refuses_code(result) ? code_.lock() : nullptr;
  if (code) throw_refused_code(*code, device_, result, call, log_ ? log_->text.data() : "");
  check_work(result, call, context);
}

Image::Image(const std::shared_ptr<const CodeData>& code, int device)
    : code_(code), device_(device), log_(code->target == Target::ptx ? new JitLog : nullptr) {
  const auto refuse_unless_loaded = [&](int result, const char* call) {
    if (result != CUDA_SUCCESS) throw_refused_code(*code, device, result, call, log_ ? log_->text.data() : "");
  };
  const Driver& driver = Driver::get();
  const Range range("load", code->name);
  const DefaultFloatEnvironment environment;  // the driver compiles PTX on this thread
  CUlibrary library = nullptr;
  // PTX must end in a zero byte for the driver: std::string's data does.
  refuse_unless_loaded(
      driver.library_load_data(&library, code->bytes.data(), log_ ? log_->options.data() : nullptr,
                               log_ ? log_->values.data() : nullptr, log_ ? 2 : 0, nullptr, nullptr, 0),
      "cuLibraryLoadData");
  library_.reset(library);

  // The driver loads lazily: it would refuse bad code at the first launch. One kernel makes it look now.
  const CodeInfo* info = code->listed_info();
  if (info == nullptr || info->kernels.empty()) return;
  std::optional<ContextGuard> guard;
  if (current_device() != device) guard.emplace(device);
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  const CUresult found = driver.library_get_kernel(&kernel, library, info->kernels.front().name.c_str());
  // The image that the driver picked from a fatbin may be without it.
  if (found == CUDA_ERROR_NOT_FOUND && code->target == Target::fatbin) return;
  refuse_unless_loaded(found, "cuLibraryGetKernel");
  refuse_unless_loaded(driver.kernel_get_function(&function, kernel), "cuKernelGetFunction");
}

Image::~Image() = default;

void Image::Unload::operator()(CUlibrary library) const noexcept {
  // At exit the driver may be unloaded; the error is ignored.
  if (const Driver* driver = Driver::if_open()) (void)driver->library_unload(library);
}

CUkernel Image::find_kernel(const std::string& symbol) const {
  CUkernel kernel = nullptr;
  const CUresult result = Driver::get().library_get_kernel(&kernel, library_.get(), symbol.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) return nullptr;
  check(result, "cuLibraryGetKernel", " for kernel " + symbol);
  return kernel;
}

std::optional<GlobalVariable> Image::find_global(const std::string& symbol) const {
  const Driver& driver = Driver::get();
  GlobalVariable variable;
  CUresult result = driver.library_get_global(&variable.pointer, &variable.size, library_.get(), symbol.c_str());
  // __managed__ variables have a call of their own.
  if (result == CUDA_ERROR_NOT_FOUND)
    result = driver.library_get_managed(&variable.pointer, &variable.size, library_.get(), symbol.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) return std::nullopt;
  check(result, "cuLibraryGetGlobal", " for variable " + symbol);
  return variable;
}

std::vector<std::string> Image::kernel_symbols() const {
  const Driver& driver = Driver::get();
  if (driver.library_get_kernel_count == nullptr || driver.library_enumerate_kernels == nullptr ||
      driver.kernel_get_name == nullptr)
    throw_driver_error(
        CUDA_ERROR_NOT_SUPPORTED, "cuLibraryEnumerateKernels",
        "; listing the kernels of a fatbin needs a driver of CUDA 12.4 or newer: ask for a kernel by its symbol");
  unsigned count = 0;
  check(driver.library_get_kernel_count(&count, library_.get()), "cuLibraryGetKernelCount");
  std::vector<CUkernel> kernels(count);
  check(driver.library_enumerate_kernels(kernels.data(), count, library_.get()), "cuLibraryEnumerateKernels");
  std::vector<std::string> symbols;
  for (CUkernel kernel : kernels) {
    const char* name = nullptr;
    check_driver(driver.kernel_get_name(&name, kernel), "cuKernelGetName");
    symbols.emplace_back(name);
  }
  return symbols;
}

std::string device_arch(int device) { return "sm_" + std::to_string(device_compute_capability(device)); }

bool refuses_code(int result) noexcept {
  switch (result) {
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_INVALID_SOURCE:
      return true;
    default:
      return false;
  }
}

}  // namespace kiln
