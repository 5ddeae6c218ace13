#include "emulator/lowering/static_limits.hpp"

#include "emulator/core/aligned.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/lowering/alignment.hpp"
#include "emulator/ptx/line_error.hpp"

#include <cuda.h>

#include <cstdint>
#include <string>
#include <utility>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t most_static_shared = 48 * 1024;  // more is a launch's dynamic memory
constexpr std::uint64_t most_constants = 64 * 1024;

// Depends only on the text's version, not on the architecture.
std::uint64_t most_parameters(const ptx::Module& module) {
  return std::pair(module.version_major, module.version_minor) >= std::pair(8u, 1u) ? 32764 : 4352;
}

std::string too_much(std::uint64_t bytes, std::uint64_t most) {
  return " (" + std::to_string(bytes) + " bytes, " + std::to_string(most) + " max)";
}

// One after another, as ptxas places constants and parameters.
std::uint64_t behind(std::uint64_t end, const ptx::Variable& variable) {
  return aligned(end, alignment_of(variable)) + variable.size;
}

void check_parameters(const ptx::Function& kernel, const ptx::Module& module) {
  std::uint64_t end = 0;
  for (const ptx::Variable& each : kernel.params) {
    if (each.is_array && each.size == 0)
      throw_line_error(module, kernel.line, "Parameter to entry function cannot be an incomplete array.");
    end = behind(end, each);
  }
  if (const std::uint64_t most = most_parameters(module); end > most)
    throw_line_error(
        module, kernel.line,
        "Entry function '" + std::string(kernel.name) + "' uses too much parameter space" + too_much(end, most));
}

void check_shared(const ptx::Function& kernel, std::uint64_t size) {
  if (size > most_static_shared)
    throw CallError(CUDA_ERROR_INVALID_PTX, "ptxas error   : Entry function '" + std::string(kernel.name) +
                                                "' uses too much shared data" + too_much(size, most_static_shared));
}

void check_constants(const ptx::Module& module) {
  std::uint64_t end = 0;
  const auto add = [&](const auto& variables) {
    for (const ptx::Variable& each : variables)
      if (each.space == ptx::Space::constant) end = behind(end, each);
  };
  add(module.variables);
  for (const ptx::Function& function : module.functions) add(function.variables);
  if (end > most_constants)
    throw CallError(CUDA_ERROR_INVALID_PTX,
                    "ptxas error   : File uses too much global constant data" + too_much(end, most_constants));
}

}  // namespace

void check_static_limits(const ptx::Module& module, const SharedLayout& shared) {
  for (const ptx::Function& function : module.functions)
    if (function.is_entry && function.has_body) {
      check_parameters(function, module);
      check_shared(function, shared.kernels.at(&function).size);
    }
  check_constants(module);
}

}  // namespace kiln::emulator
