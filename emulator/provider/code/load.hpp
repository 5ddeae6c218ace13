// Loading code.
#pragma once

#include "emulator/provider/code/function.hpp"
#include "emulator/provider/code/jit_log.hpp"

#include <memory>
#include <string>

namespace kiln::emulator {

/// Parses the PTX of the code and, if the thread has a context, loads it there, so that all errors are reported now.
/// Throws CallError; the text of an error goes to the log buffer of the program if it passed one.
std::shared_ptr<LibraryState> load_library(const void* image, JitLog& log);
std::shared_ptr<LibraryState> load_library(const std::string& bytes, JitLog& log);

/// Throws CallError(CUDA_ERROR_FILE_NOT_FOUND).
std::string read_code_file(const char* path);

/// Rethrows the current exception as with_log does.
[[noreturn]] void throw_logged(JitLog& log);
/// Runs `load`. Errors in PTX become CallErrors, with their texts in the log.
template <class Load>
auto with_log(JitLog& log, Load load) {
  try {
    return load();
  } catch (...) {
    throw_logged(log);
  }
}

}  // namespace kiln::emulator
