// An error that becomes the result of a driver call, and what the emulator says on standard error.
#pragma once

#include <cuda.h>

#include <exception>
#include <string>
#include <utility>

namespace kiln::emulator {

/// Thrown anywhere below an exported function, which returns `result`; the text, unless it is empty, goes to the log
/// and to kiln_driver_message.
struct CallError : std::exception {
  CallError(CUresult code, std::string message) : result(code), text(std::move(message)) {}
  const char* what() const noexcept override { return text.c_str(); }
  CUresult result;
  std::string text;
};

/// For what the caller got wrong: throws CallError(CUDA_ERROR_INVALID_VALUE) where the condition does not hold.
inline void require(bool holds, const char* text = "") {
  if (!holds) throw CallError(CUDA_ERROR_INVALID_VALUE, text);
}

/// Writes "kiln emulator: <text>" to standard error, unless KILN_LOG=off. Never throws. Thread-safe.
void log(const std::string& text) noexcept;

}  // namespace kiln::emulator
