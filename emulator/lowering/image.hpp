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

/// A module on a device: its variables have memory, its functions are lowered. Immutable once loaded, so thread-safe.
class Image {
 public:
  /// Allocates and initialises the variables in device memory, and lowers every function. Throws ptx::ParseError for
  /// what ptxas would refuse, CallError otherwise (unresolved symbol: CUDA_ERROR_INVALID_PTX; no memory:
  /// CUDA_ERROR_OUT_OF_MEMORY; .target newer than sm: CUDA_ERROR_INVALID_PTX, as a driver answers). An instruction
  /// that the emulator does not support is no error here: a kernel that reaches it stops.
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
