// Loading code.
#pragma once

#include "emulator/provider/code/function.hpp"
#include "emulator/provider/code/jit_log.hpp"

#include <memory>
#include <string>

namespace kiln::emulator {

/// The code's PTX, parsed; where the thread has a context, loaded there, so that all that is wrong with it is told now.
/// Throws CallError; the text of an error goes into the program's log buffer where it gave one.
std::shared_ptr<LibraryState> load_library(const void* image, JitLog& log);
std::shared_ptr<LibraryState> load_library(const std::string& bytes, JitLog& log);

/// Throws CallError(CUDA_ERROR_FILE_NOT_FOUND).
std::string read_code_file(const char* path);

/// The exception at hand, as with_log throws it.
[[noreturn]] void throw_logged(JitLog& log);
/// Runs `load`, whose errors of PTX become CallErrors, with their texts in the log.
template <class Load>
auto with_log(JitLog& log, Load load) {
  try {
    return load();
  } catch (...) {
    throw_logged(log);
  }
}

}  // namespace kiln::emulator
