#include "emulator/lowering/static_limits.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/lowering/shared_layout.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/ptx/module.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t most_static_shared = 48 * 1024;  // more is a launch's dynamic memory
constexpr std::uint64_t most_constants = 64 * 1024;
// ptxas 13.0 counts a function's in a signed number of 32 bits: of more it says a negative size or none. That no device
// has so much for a thread is an error of the launch.
constexpr std::uint64_t most_local = 0x7ffffff0;

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

std::string readable(const ptx::Function& function) { return demangle(std::string(function.name)); }

void check_parameters(const ptx::Function& kernel, const ptx::Module& module) {
  std::uint64_t end = 0;
  for (const ptx::Variable& each : kernel.params) {
    if (each.is_array && each.size == 0)
      throw_line_error(module, kernel.line, "Parameter to entry function cannot be an incomplete array.");
    end = behind(end, each);
  }
  if (const std::uint64_t most = most_parameters(module); end > most)
    throw_line_error(module, kernel.line,
                     "Entry function '" + readable(kernel) + "' uses too much parameter space" + too_much(end, most));
}

bool names(const ptx::Instruction& instruction, const ptx::Variable* variable) {
  const auto is_it = [&](const auto& self, const ptx::Operand& operand) -> bool {
    return operand.variable == variable || std::any_of(operand.elements.begin(), operand.elements.end(),
                                                       [&](const ptx::Operand& each) { return self(self, each); });
  };
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [&](const ptx::Operand& each) { return is_it(is_it, each); });
}

/// Lines of the source below a message: where code first names the variable, else where the function begins. Empty
/// without line information.
std::string source_lines(const ptx::Module& module, const ptx::Function& of, const ptx::Variable* variable) {
  const ptx::Instruction* place = nullptr;
  const auto look_in = [&](const ptx::Function& function, const ptx::Variable* named) {
    for (const ptx::Instruction& each : function.instructions)
      if (place == nullptr && each.location >= 0 && (named == nullptr || names(each, named))) place = &each;
  };
  if (variable != nullptr) {
    look_in(of, variable);
    for (const ptx::Function& each : module.functions) look_in(each, variable);
  }
  look_in(of, nullptr);
  std::string lines;
  if (place != nullptr)
    for (const std::string& each : source_places(module, *place)) lines += "\n    " + each;
  return lines;
}

const ptx::Variable* largest(const std::vector<const ptx::Variable*>& variables) {
  const auto found = std::max_element(variables.begin(), variables.end(),
                                      [](const ptx::Variable* a, const ptx::Variable* b) { return a->size < b->size; });
  return found == variables.end() ? nullptr : *found;
}

/// "; its largest array is s of 61440 bytes"
std::string largest_text(const ptx::Variable* variable) {
  if (variable == nullptr) return {};
  return "; its largest array is " + demangle(std::string(variable->name)) + " of " + std::to_string(variable->size) +
         " bytes";
}

void check_shared(const ptx::Module& module, const ptx::Function& kernel, const SharedLayout::KernelSize& shared) {
  if (shared.size <= most_static_shared) return;
  const ptx::Variable* const array = largest(shared.variables);
  throw CallError(CUDA_ERROR_INVALID_PTX, "ptxas error   : Entry function '" + readable(kernel) +
                                              "' uses too much shared data" +
                                              too_much(shared.size, most_static_shared) + largest_text(array) +
                                              source_lines(module, kernel, array));
}

void check_local(const ptx::Module& module, const ptx::Function& function) {
  std::uint64_t end = 0;
  const ptx::Variable* first = nullptr;
  for (const ptx::Variable& each : function.variables) {
    if (each.space != ptx::Space::local) continue;
    end = behind(end, each);
    if (first == nullptr || each.size > first->size) first = &each;
    if (end <= most_local && each.size <= most_local) continue;
    throw CallError(CUDA_ERROR_INVALID_PTX,
                    "function '" + readable(function) + "' uses too much local memory for a thread" +
                        too_much(end, most_local) + source_lines(module, function, first) +
                        "\nA thread's own arrays have 512 KB. Keep larger ones in a buffer of device memory, of which "
                        "each thread uses its part.");
  }
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
  for (const ptx::Function& function : module.functions) {
    if (!function.has_body) continue;
    check_local(module, function);
    if (!function.is_entry) continue;
    check_parameters(function, module);
    check_shared(module, function, shared.kernels.at(&function));
  }
  check_constants(module);
}

}  // namespace kiln::emulator
