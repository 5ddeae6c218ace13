#include "emulator/provider/context/call.hpp"

#include "emulator/provider/context/context.hpp"
#include "emulator/provider/context/process.hpp"

#include <kiln/error.hpp>

#include <new>
#include <string>

namespace kiln::emulator {

namespace {

// The message of the last call of the thread, for kiln_driver_message. Static objects call the driver after it is
// destroyed: then there are no messages.
thread_local bool has_ended = false;
struct Message {
  ~Message() { has_ended = true; }
  std::string text;
};
thread_local Message message;

void remember(const std::string& text) noexcept {
  try {
    if (!has_ended) message.text = text;
  } catch (...) {  // no memory for the text
  }
}

void clear_message() noexcept {
  if (!has_ended) message.text.clear();
}

bool has_message() noexcept { return !has_ended && !message.text.empty(); }

}  // namespace

CUresult result_of_exception(const char* function) noexcept {
  try {
    const auto logged = [&](CUresult result, const std::string& text) {
      remember(text);
      log(std::string(function) + ": " + text);
      return result;
    };
    try {
      throw;
    } catch (const CallError& error) {
      return error.text.empty() ? error.result : logged(error.result, error.text);
    } catch (const std::bad_alloc&) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
      return logged(CUDA_ERROR_UNKNOWN, error.what());
    }
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}

CUresult check_start(const char*) noexcept {
  clear_message();
  if (const CUresult ready = check_initialised(); ready != CUDA_SUCCESS) return ready;
  const Context* const context = current_context_or_null();
  return context == nullptr ? CUDA_SUCCESS : failed(context->error());
}

CUresult check_initialised(const char*) noexcept {
  clear_message();
  return check_initialised();
}

CUresult failed(CUresult result) noexcept {
  if (result != CUDA_SUCCESS && result == kernel_failure() && !has_message()) remember(kernel_failure_report());
  return result;
}

CUresult not_supported(const char* function, const char* what) noexcept {
  try {
    const std::string text =
        std::string(function) + " is not supported by the emulator" + (what == nullptr ? "" : std::string(": ") + what);
    log(text);
    remember(text);
  } catch (...) {
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

extern "C" __attribute__((visibility("default"))) const char* kiln_driver_message() {
  return kiln::emulator::has_message() ? kiln::emulator::message.text.c_str() : "";
}

}  // namespace kiln::emulator
