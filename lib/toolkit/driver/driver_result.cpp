#include "toolkit/driver/driver_result.hpp"

#include "base/environment.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

std::string result_name(const Driver& driver, int result) {
  const char* name = nullptr;
  if (driver.get_error_name(static_cast<CUresult>(result), &name) == CUDA_SUCCESS && name != nullptr) return name;
  if (result == CUDA_ERROR_DEINITIALIZED) return "CUDA_ERROR_DEINITIALIZED";  // a driver that has ended names nothing
  return "CUresult " + std::to_string(result);
}

std::string result_text(const Driver& driver, int result) {
  const char* text = nullptr;
  if (driver.get_error_string(static_cast<CUresult>(result), &text) == CUDA_SUCCESS && text != nullptr) return text;
  if (result == CUDA_ERROR_DEINITIALIZED) return "driver shutting down";
  return "unknown result";
}

const char* advice(CUresult result) {
  switch (result) {
    case CUDA_ERROR_NO_DEVICE:
      return "there is no CUDA device that this process may use: see what nvidia-smi lists, whether "
             "CUDA_VISIBLE_DEVICES hides it, and whether the container or batch job was given a GPU";
    case CUDA_ERROR_STUB_LIBRARY:
      return "this is the toolkit's stub, which is for linking only and not a driver: take the 'stubs' folder off "
             "LD_LIBRARY_PATH, or install the NVIDIA driver";
    case CUDA_ERROR_NOT_INITIALIZED:
      return "this happens in a child of fork whose parent uses the driver: start the process with exec or "
             "posix_spawn, or fork before the first CUDA call";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return "the driver's library and its kernel module have different versions: restart the machine after a driver "
             "update, or install the library that fits the module";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return "a forward-compatibility libcuda is in use on a device that does not allow it: take the toolkit's "
             "'compat' folder off the loader's path";
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return "a service that the GPUs of this machine need, such as nvidia-fabricmanager, does not run yet";
    default:
      return "see nvidia-smi and the kernel's log";
  }
}

/// The variables that switch the driver's compiler off; those that are set.
std::string switches_of_jit() {
  std::string text;
  for (const char* const variable : {"CUDA_DISABLE_PTX_JIT", "CUDA_DISABLE_JIT"})
    if (const auto value = environment(variable); value && *value != "0")
      text += (text.empty() ? "" : " and ") + std::string(variable) + "=" + *value;
  return text.empty() ? "CUDA_DISABLE_PTX_JIT or CUDA_DISABLE_JIT was set when the driver started" : text + " is set";
}

}  // namespace

std::string driver_result_name(int result) {
  const Driver* driver = Driver::if_open();
  return driver != nullptr ? result_name(*driver, result) : "CUresult " + std::to_string(result);
}

std::string driver_failure(int result, const char* call, const std::string& context) {
  const Driver* driver = Driver::if_open();
  const std::string text = driver != nullptr ? result_text(*driver, result) : "the driver is not open";
  // Asked for first: naming the result is a call, too.
  std::string message = driver != nullptr && driver->message != nullptr ? driver->message() : "";
  if (!message.empty()) message.insert(0, "\n  the driver library says: ");
  return std::string(call) + " failed: " + text + " (" + driver_result_name(result) + ")" + context + message;
}

void check_driver(int result, const char* call, const std::string& context) {
  if (result != CUDA_SUCCESS) throw_driver_error(result, call, context);
}

void throw_driver_error(int result, const char* call, const std::string& context) {
  const std::string message = driver_failure(result, call, context);
  throw DriverError(message, result, driver_result_name(result), call);
}

std::pair<int, int> driver_version(const Driver& driver) {
  int number = 0;
  check_driver(driver.driver_get_version(&number), "cuDriverGetVersion");
  return {number / 1000, number % 1000 / 10};
}

std::string refused_code_advice(int result) {
  switch (result) {
    case CUDA_ERROR_INVALID_IMAGE:
      return "the code is damaged, or of a newer toolkit than the driver reads: update the driver, or compile with a "
             "toolkit of the driver's CUDA version or an older one (CUDA_HOME)";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
      return "compile for the device's architecture, or leave the arch empty";
    case CUDA_ERROR_INVALID_PTX:
      return "the driver's compiler refuses the PTX; `ptxas` of a toolkit shows what it says of the text";
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
      return "the driver compiles PTX by libnvidia-ptxjitcompiler.so.1, which it does not find: install that part of "
             "the driver (in a container: NVIDIA_DRIVER_CAPABILITIES with compute), or compile to machine code (target "
             "cubin)";
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return "the driver is older than the compiler that made this PTX: update the driver, compile to machine code "
             "(target cubin), or use a toolkit of the driver's CUDA version or an older one (CUDA_HOME)";
    case CUDA_ERROR_JIT_COMPILATION_DISABLED:
      return "the driver may not compile PTX, as " + switches_of_jit() +
             ": unset it before the program starts, or compile to machine code (target cubin)";
    default:
      return {};
  }
}

void start_driver(const Driver& driver) {
  const CUresult result = driver.init(0);
  if (result == CUDA_SUCCESS) return;
  const std::string name = result_name(driver, result);
  throw DriverError("cuInit failed: " + result_text(driver, result) + " (" + name + "): " + advice(result) +
                        ". The driver library is " + driver.path,
                    result, name, "cuInit");
}

}  // namespace kiln
