// The buffers that a program gives for what the compiler of PTX says.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <string_view>

namespace kiln::emulator {

/// Of the options of cuLibraryLoadData, cuModuleLoadDataEx and cuLinkCreate, whose arrays it refers to. All other
/// options are of no meaning here.
class JitLog {
 public:
  JitLog() = default;
  /// Throws CallError(CUDA_ERROR_INVALID_VALUE) for options without values. Empties the buffers.
  JitLog(unsigned count, CUjit_option* options, void** values);

  /// Whether the program sees errors by a buffer of its own.
  bool takes_errors() const { return errors_.text != nullptr && errors_.room != 0; }
  /// Appends, as far as there is room; the buffer ends with a zero byte, and its size in the options is what is used.
  void add_error(std::string_view text);

 private:
  struct Buffer {
    char* text = nullptr;
    std::size_t room = 0, used = 0;
    void** size = nullptr;  // the option's value
    void add(std::string_view more);
  };
  Buffer errors_, info_;
};

}  // namespace kiln::emulator
