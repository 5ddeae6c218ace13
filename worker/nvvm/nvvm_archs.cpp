#include "worker/nvvm/nvvm_archs.hpp"

#include "base/keep_first.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/libraries/nvvm_library.hpp"

#include <string>

namespace kiln {

namespace {

constexpr int invalid_option = 7;  // NVVM_ERROR_INVALID_OPTION

/// Options are looked at before the module, so that one that is no IR costs microseconds.
bool takes(const NvvmLibrary& nvvm, int number) {
  NvvmProgram program = nullptr;
  if (nvvm.create_program(&program) != 0) return false;
  nvvm.add_module_to_program(program, "-", 1, nullptr);
  const std::string option = "-arch=compute_" + std::to_string(number);
  const char* options[] = {option.c_str()};
  const int result = nvvm.verify_program(program, 1, options);
  nvvm.destroy_program(&program);
  return result != invalid_option;
}

}  // namespace

const std::vector<int>& nvvm_archs() {
  static std::atomic<const std::vector<int>*> known{nullptr};
  if (const std::vector<int>* archs = known.load(std::memory_order_acquire)) return *archs;
  const NvvmLibrary& nvvm = NvvmLibrary::get();
  const NvrtcUse use;
  auto archs = std::make_unique<std::vector<int>>();
  for (int number = 30; number < 200; ++number)
    if (takes(nvvm, number)) archs->push_back(number);
  return keep_first<std::vector<int>>(known, std::move(archs));
}

}  // namespace kiln
