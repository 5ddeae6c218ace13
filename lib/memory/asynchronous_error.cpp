#include "memory/asynchronous_error.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

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

namespace {

constexpr std::size_t few = 4;

struct Launched {
  ForkSafeMutex mutex;
  std::vector<std::string> names;  // one more than a few where there are too many to list
};

}  // namespace

void note_launched(const std::string& kernel) noexcept {
  try {
    Launched& launched = fork_safe_instance<Launched>();
    const std::lock_guard lock(launched.mutex);
    std::vector<std::string>& names = launched.names;
    if (names.size() <= few && std::find(names.begin(), names.end(), kernel) == names.end()) names.push_back(kernel);
  } catch (...) {  // without memory for a name the text is shorter
  }
}

std::string describe_launched() {
  Launched& launched = fork_safe_instance<Launched>();
  const std::lock_guard lock(launched.mutex);
  const std::vector<std::string>& names = launched.names;
  if (names.empty() || names.size() > few) return {};
  if (names.size() == 1) return "the only kernel launched in this process is " + names.front();
  std::string text = "the kernels launched in this process are " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

void forget_launched() {
  Launched& launched = fork_safe_instance<Launched>();
  const std::lock_guard lock(launched.mutex);
  launched.names.clear();
}

}  // namespace kiln
