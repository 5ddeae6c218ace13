// Where shared variables lie in a block's shared memory.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <map>

namespace kiln::emulator {

/// A variable has one offset whichever kernel runs, as functions that several kernels call know it by that; two that no
/// kernel uses together may share their place, so that a kernel's size is that of its own variables.
struct SharedLayout {
  struct KernelSize {
    std::uint64_t size = 0;
    std::uint64_t dynamic_alignment = 16;
    bool uses_reserved = false;  // names a %reserved_smem_offset
  };
  std::map<const ptx::Variable*, std::uint64_t> offsets;
  std::map<const ptx::Function*, KernelSize> kernels;
};

SharedLayout lay_out_shared(const ptx::Module& module);

}  // namespace kiln::emulator
