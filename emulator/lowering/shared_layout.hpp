// Where variables lie: their alignment, allocation of byte ranges, and the shared memory of a block.
#pragma once

#include "emulator/ptx/module.hpp"

#include <algorithm>
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

/// As the text says; otherwise that of its type, or of the whole vector.
inline std::uint32_t alignment_of(const ptx::Variable& variable) {
  if (variable.alignment != 0) return variable.alignment;
  const std::size_t element = std::max<std::size_t>(ptx::size_of(variable.type), 1);
  return static_cast<std::uint32_t>(element * std::max(variable.vector, 1u));
}

struct ByteRange {
  std::uint64_t offset = 0, size = 0;
  std::uint64_t end() const { return offset + size; }
};

/// The lowest aligned offset at which `size` bytes overlap none of `taken`.
std::uint64_t first_fit(std::uint64_t size, std::uint64_t alignment, std::vector<ByteRange> taken);

struct ImageSymbols {
  std::map<const ptx::Variable*, std::uint64_t> addresses;  // of global and constant variables
  SharedLayout shared;
};

}  // namespace kiln::emulator
