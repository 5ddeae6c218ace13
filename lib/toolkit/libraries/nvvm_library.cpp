#include "toolkit/libraries/nvvm_library.hpp"

#include "base/keep_first.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>

namespace kiln {
namespace {

std::atomic<const NvvmLibrary*> nvvm_in_use{nullptr};

void check_nvvm(const NvvmLibrary& nvvm, int result, const char* call) {
  if (result != 0)
    throw ToolkitError(std::string(call) + " of " + nvvm.path + " failed: " + nvvm.get_error_string(result),
                       {nvvm.path});
}

}  // namespace

NvvmLibrary::NvvmLibrary(const std::string& file) : library(file, "libnvvm of CUDA 12.0 or newer", nvvm_advice()) {}

const NvvmLibrary& NvvmLibrary::get() {
  if (const NvvmLibrary* nvvm = nvvm_in_use.load(std::memory_order_acquire)) return *nvvm;
  const NvrtcUse use(NvrtcUse::Purpose::opening);  // first: a child of fork is not to look for one
  return keep_first(nvvm_in_use, std::make_unique<const NvvmLibrary>(require_nvvm()));
}

const NvvmLibrary& NvvmLibrary::get(const std::string& file) {
  const NvrtcUse use(NvrtcUse::Purpose::opening);
  return keep_first(nvvm_in_use, std::make_unique<const NvvmLibrary>(file));
}

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
