// The alignment of a PTX variable.
#pragma once

#include "emulator/ptx/module.hpp"

#include <algorithm>
#include <cstdint>

namespace kiln::emulator {

/// As the text says; otherwise that of its type, or of the whole vector.
inline std::uint32_t alignment_of(const ptx::Variable& variable) {
  if (variable.alignment != 0) return variable.alignment;
  const std::size_t element = std::max<std::size_t>(ptx::size_of(variable.type), 1);
  return static_cast<std::uint32_t>(element * std::max(variable.vector, 1u));
}

}  // namespace kiln::emulator
