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

CUresult result_of_exception(const char* function) noexcept {
  try {
    const auto told = [&](CUresult result, const std::string& text) {
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
  if (const CUresult ready = check_initialised(); ready != CUDA_SUCCESS) return ready;
  const Context* const context = current_context_or_null();
  return context == nullptr ? CUDA_SUCCESS : context->error();
}

CUresult check_initialised(const char*) noexcept { return check_initialised(); }

CUresult not_supported(const char* function, const char* what) noexcept {
  try {
    log(std::string(function) + " is not supported by the emulator" +
        (what == nullptr ? "" : std::string(": ") + what));
  } catch (...) {
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace kiln::emulator
