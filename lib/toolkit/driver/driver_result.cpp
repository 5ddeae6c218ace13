#include "toolkit/driver/driver_result.hpp"

#include <kiln/error.hpp>

namespace kiln {

std::string result_name(const Driver& driver, int result) {
  const char* name = nullptr;
  if (driver.get_error_name(static_cast<CUresult>(result), &name) == CUDA_SUCCESS && name != nullptr) return name;
  return "CUresult " + std::to_string(result);
}

std::string result_text(const Driver& driver, int result) {
  const char* text = nullptr;
  if (driver.get_error_string(static_cast<CUresult>(result), &text) == CUDA_SUCCESS && text != nullptr) return text;
  return "unknown result";
}

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
  if (result == CUDA_SUCCESS) return;
  const std::string message = driver_failure(result, call, context);
  throw DriverError(message, result, driver_result_name(result), call);
}

}  // namespace kiln
