#include "memory/asynchronous_error.hpp"

#include "memory/launched_kernels.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"

namespace kiln {

namespace {

std::string launched_in_brackets() {
  const std::string text = describe_launched();
  return text.empty() ? text : " (" + text + ")";
}

const char* way_to_find_it() {
  if (emulator_in_use()) return "The emulator's report on standard error says where";
  return "To find the kernel, synchronise after each launch, or run the program under compute-sanitizer";
}

}  // namespace

std::string asynchronous_hint(int result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
      return "; an earlier kernel may have caused it" + launched_in_brackets() +
             ", and nothing more works in this process, in any context or on any device: start a new one. " +
             way_to_find_it();
    default:
      return {};
  }
}

void check_work(int result, const char* call, const std::string& context) {
  if (result != CUDA_SUCCESS) check_driver(result, call, context + asynchronous_hint(result));
}

}  // namespace kiln
