// The layout of shared memory of a block.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace kiln::emulator {

/// A variable has the same offset in every kernel, because functions that several kernels call rely on it. Two
/// variables that no kernel uses together may overlap, so that a kernel only needs memory for its own variables.
struct SharedLayout {
  struct KernelSize {
    std::uint64_t size = 0;
    std::uint64_t dynamic_alignment = 16;
    bool uses_dynamic = false;
    bool uses_reserved = false;                   // uses %reserved_smem_offset
    std::vector<const ptx::Variable*> variables;  // those of a fixed size
  };
  std::map<const ptx::Variable*, std::uint64_t> offsets;
  std::map<const ptx::Function*, KernelSize> kernels;
};

SharedLayout lay_out_shared(const ptx::Module& module);

}  // namespace kiln::emulator
