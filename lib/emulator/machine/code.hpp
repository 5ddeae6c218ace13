// Functions ready to run, and the loaded image they belong to.
#pragma once

#include "emulator/machine/step.hpp"
#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

class Image;

/// A parameter (or result) of a function: where it lies in a frame's parameter bytes of each lane.
struct ParamPlace {
  std::uint32_t offset = 0, size = 0, alignment = 1;
};

struct Code {
  const ptx::Function* source = nullptr;
  const Image* image = nullptr;
  std::uint32_t number = 0;  // its address is code_window + 16 * number
  std::vector<Step> steps;   // ends with an implicit ret
  std::vector<std::byte> constants;
  std::uint32_t register_bytes = 0;  // of a frame, all 32 lanes
  std::uint32_t local_bytes = 0;     // of a frame, one lane
  std::uint32_t param_bytes = 0;     // of a frame, one lane: formal parameters, results, parameters of calls
  std::vector<ParamPlace> params, returns;
  std::vector<std::uint32_t> registers;  // offset of each of source->registers
  // What steps point to.
  std::deque<std::vector<Slot>> slot_lists;
  std::deque<std::shared_ptr<const void>> data;
};

/// What can be launched.
struct Kernel {
  const Code* code = nullptr;
  std::string name;
  std::vector<ParamPlace> params;  // offsets in the launch's parameter buffer
  std::uint32_t param_bytes = 0;
  std::uint32_t static_shared = 0;      // bytes
  bool uses_reserved_shared = false;    // %reserved_smem_offset_1: cooperative groups keep barriers there
  std::uint32_t shared_alignment = 16;  // of the dynamic part behind them
  std::uint32_t constant_bytes = 0;     // of the module's constants
  std::uint32_t local_bytes = 0;        // a thread
  std::uint32_t max_threads = 1024;     // by .maxntid, .reqntid
};

struct ImageVariable {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool managed = false;
};

/// A module on a device: its variables have memory, its functions steps. Made once, then only read: thread-safe.
class Image {
 public:
  /// Lays out the variables (device memory is allocated and initialised) and lowers every function. Throws
  /// ptx::ParseError for what ptxas would refuse, LoadError otherwise (an unresolved symbol: CUDA_ERROR_INVALID_PTX;
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

/// The function at an address of the code window, of whichever image that is loaded; null where there is none.
const Code* code_at(std::uint64_t address);

struct LoadError : std::exception {
  LoadError(int code, std::string message) : result(code), text(std::move(message)) {}
  const char* what() const noexcept override { return text.c_str(); }
  int result;
  std::string text;
};

}  // namespace kiln::emulator
