// Log buffers of the program for messages of the PTX compiler.
#pragma once

#include <cuda.h>

#include <cstddef>
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

}  // namespace kiln::emulator
