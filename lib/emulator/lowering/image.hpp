// A loaded module.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace kiln::emulator {

struct ImageVariable {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool managed = false;
};

/// A module on a device: its variables have memory, its functions steps. Made once, then only read: thread-safe.
class Image {
 public:
  /// Lays out the variables (device memory is allocated and initialised) and lowers every function. Throws
  /// ptx::ParseError for what ptxas would refuse, CallError otherwise (an unresolved symbol: CUDA_ERROR_INVALID_PTX;
  /// no memory: CUDA_ERROR_OUT_OF_MEMORY). An instruction that the emulator does not do is no error here: it stops the
  /// kernel that comes to it. A .target newer than sm is an error: CUDA_ERROR_NO_BINARY_FOR_GPU.
  static std::unique_ptr<Image> load(ptx::Module module, int device, unsigned sm);
  ~Image();

  const ptx::Module& module() const;
  int device() const;
  const Kernel* kernel(std::string_view name) const;
  const ImageVariable* variable(std::string_view name) const;
  const Code* code(std::string_view function) const;

 private:
  friend class ImageLoader;
  Image();
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace kiln::emulator
