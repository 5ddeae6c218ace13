// What a kernel takes on a GPU, which only machine code says: ptxas compiles the PTX text beside the emulator.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace kiln::emulator {

/// Of a thread.
struct KernelResources {
  std::uint32_t registers = 0;
  std::optional<std::uint64_t> spill_bytes;  // of registers stored to local memory; nothing if ptxas does not say
};

/// Of the kernels of a PTX text.
struct ProgramResources {
  std::map<std::string, KernelResources> kernels;  // by their names in the PTX
  std::string missing;                             // why there are none; empty if there are
};

/// Compiles the text by nvJitLink, which has ptxas in it, for the emulator's devices. Never throws for a text that it
/// refuses, or where there is no nvJitLink. Thread-safe.
ProgramResources program_resources(const ptx::Module& module);

/// "0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads" in ptxas' log for that kernel, as 8.
std::optional<std::uint64_t> spill_bytes_in(const std::string& log, const std::string& kernel);

}  // namespace kiln::emulator
