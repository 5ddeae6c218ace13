// Loading code: the image in what a program gives, and the logs that cuLinkCreate and cuModuleLoadDataEx write to.
#pragma once

#include "emulator/provider/code/function.hpp"

#include <cuda.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::emulator {

/// Reads the options of cuLibraryLoadData, cuModuleLoadDataEx and cuLinkCreate, and refers to their arrays. Other
/// options are ignored.
class JitLog {
 public:
  JitLog() = default;
  /// Empties the buffers. Throws CallError(CUDA_ERROR_INVALID_VALUE) for options without values.
  JitLog(unsigned count, CUjit_option* options, void** values);

  /// Whether the program has passed an error buffer.
  bool takes_errors() const { return errors_.text != nullptr && errors_.room != 0; }
  /// Appends as much as fits. The buffer ends with a zero byte; its size in the options becomes the number of bytes
  /// used.
  void add_error(std::string_view text);

 private:
  struct Buffer {
    char* text = nullptr;
    std::size_t room = 0, used = 0;
    void** size = nullptr;  // value of the option
    void add(std::string_view more);
  };
  Buffer errors_, info_;
};

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

/// The PTX text: the code itself, or the best PTX for the devices in a fatbin (or in the wrapper that nvcc makes around
/// one). The image is as long as its header says, or ends with a zero byte. Throws CallError:
/// CUDA_ERROR_NO_BINARY_FOR_GPU for machine code and if no PTX fits, CUDA_ERROR_INVALID_IMAGE for anything else.
std::string ptx_of_image(const void* image);
/// The same for an image of known size (PTX then needs no zero byte).
std::string ptx_of_bytes(std::string_view bytes);

}  // namespace kiln::emulator
