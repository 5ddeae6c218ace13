#include "emulator/provider/call.hpp"

#include "base/environment.hpp"
#include "emulator/machine/code.hpp"
#include "emulator/provider/context.hpp"
#include "emulator/provider/process.hpp"

#include <kiln/error.hpp>

#include <cstdio>
#include <new>

namespace kiln::emulator {

void log(const std::string& text) noexcept {
  try {
    if (environment("KILN_LOG") == "off") return;
    const std::string line = "kiln emulator: " + text + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);  // one call, so that lines of several threads do not mix
  } catch (...) {                                      // no memory for the text
  }
}

namespace {

// What the thread's last call said beyond its result, for kiln_driver_message.
thread_local std::string message;

void remember(const std::string& text) noexcept {
  try {
    message = text;
  } catch (...) {  // no memory for the text
  }
}

}  // namespace

CUresult result_of_exception(const char* function) noexcept {
  try {
    const auto told = [&](CUresult result, const std::string& text) {
      remember(text);
      log(std::string(function) + ": " + text);
      return result;
    };
    try {
      throw;
    } catch (const CallError& error) {
      return error.text.empty() ? error.result : told(error.result, error.text);
    } catch (const LoadError& error) {
      return told(static_cast<CUresult>(error.result), error.text);
    } catch (const std::bad_alloc&) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
      return told(CUDA_ERROR_UNKNOWN, error.what());
    }
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}

CUresult check_start(const char*) noexcept {
  message.clear();
  if (const CUresult ready = check_initialised(); ready != CUDA_SUCCESS) return ready;
  const Context* const context = current_context_or_null();
  return context == nullptr ? CUDA_SUCCESS : failed(context->error());
}

CUresult check_initialised(const char*) noexcept {
  message.clear();
  return check_initialised();
}

CUresult failed(CUresult result) noexcept {
  const Context* const context = result == CUDA_SUCCESS ? nullptr : current_context_or_null();
  if (context != nullptr && message.empty() && context->error() == result) remember(context->failure());
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

extern "C" __attribute__((visibility("default"))) const char* kiln_driver_message() { return message.c_str(); }

}  // namespace kiln::emulator
