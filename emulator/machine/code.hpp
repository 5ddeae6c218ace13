// Lowered functions.
#pragma once

#include "emulator/machine/step.hpp"
#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace kiln::emulator {

/// A parameter (or result) of a function: its place in the parameter bytes that a frame has for each lane.
struct ParamPlace {
  std::uint32_t offset = 0, size = 0, alignment = 1;
};

/// A variable in shared memory.
struct SharedVariable {
  std::string name;
  std::uint64_t offset = 0, size = 0;
};

struct Kernel;

struct Code {
  const ptx::Function* source = nullptr;
  const ptx::Module* module = nullptr;  // that has the source
  int device = 0;                       // on which it runs
  std::uint32_t number = 0;             // its address is code_window + 16 * number
  std::vector<Step> steps;              // ends with an implicit ret
  std::vector<std::byte> constants;
  std::uint32_t register_bytes = 0;  // of a frame, all 32 lanes
  std::uint32_t local_bytes = 0;     // of a frame, one lane
  std::uint32_t param_bytes = 0;     // of a frame, one lane: formal parameters, results, parameters of calls
  std::uint32_t zeroed_bytes = 0;    // of the registers: those that may be read before they are written
  std::vector<ParamPlace> params, returns;
  std::vector<std::uint32_t> registers;  // offset of each of source->registers
  std::vector<const Code*> callees;      // that its calls name, as often as they do
  // What steps point to.
  std::deque<std::vector<Slot>> slot_lists;
  std::deque<std::shared_ptr<const void>> data;
  const Kernel* kernel = nullptr;  // of an entry
};

/// A function that can be launched.
struct Kernel {
  const Code* code = nullptr;
  std::string name;
  std::vector<ParamPlace> params;  // offsets in the launch's parameter buffer
  std::uint32_t param_bytes = 0;
  std::uint32_t static_shared = 0;      // bytes
  bool uses_dynamic_shared = false;     // it, or a function that it may call
  bool uses_reserved_shared = false;    // %reserved_smem_offset_1: cooperative groups keep barriers there
  std::uint32_t shared_alignment = 16;  // of dynamic shared memory
  std::vector<SharedVariable> shared_variables;
  std::uint32_t constant_bytes = 0;      // of the module's constants
  std::uint32_t local_bytes = 0;         // a thread, without what functions have that it calls
  const Code* largest_called = nullptr;  // of the functions that it may call, directly or not, that with the most
  std::uint32_t max_threads = 1024;      // by .maxntid, .reqntid
};

/// As ptxas counts, but for what functions that call each other have together: what its calls need is a kernel's own.
inline std::uint64_t local_bytes_with_calls(const Kernel& kernel) {
  return std::uint64_t{kernel.local_bytes} +
         (kernel.largest_called == nullptr ? 0 : kernel.largest_called->local_bytes);
}

}  // namespace kiln::emulator
