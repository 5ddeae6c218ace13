#include "emulator/lowering/initial_data.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/lowering/code_registry.hpp"
#include "emulator/memory/windows.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstring>

namespace kiln::emulator {
namespace {

// A variable of the module, or a static one of a function (the compiler gives those unique names).
const ptx::Variable* variable_named(const ptx::Module& module, std::string_view name) {
  if (const ptx::Variable* const found = module.variable(name)) return found;
  for (const ptx::Function& function : module.functions)
    for (const ptx::Variable& each : function.variables)
      if (each.name == name) return &each;
  return nullptr;
}

std::uint64_t address_of_symbol(const Image& image, const ImageSymbols& symbols, const ptx::Relocation& relocation) {
  if (const Code* const code = image.code(relocation.symbol)) return address_of(*code);
  const ptx::Variable* const variable = variable_named(image.module(), relocation.symbol);
  if (const auto place = symbols.addresses.find(variable); place != symbols.addresses.end()) return place->second;
  if (const auto offset = symbols.shared.offsets.find(variable); offset != symbols.shared.offsets.end())
    return offset->second + (relocation.generic ? shared_window : 0);
  throw CallError(CUDA_ERROR_INVALID_PTX,
                  "ptxas fatal   : Unresolved extern symbol '" + std::string(relocation.symbol) + "'");
}

}  // namespace

void write_initial_data(const Image& image, const ImageSymbols& symbols, const ptx::Variable& variable,
                        std::byte* bytes) {
  std::memset(bytes, 0, variable.size);
  if (!variable.data.empty())
    std::memcpy(bytes, variable.data.data(), std::min<std::size_t>(variable.data.size(), variable.size));
  for (const ptx::Relocation& each : variable.relocations) {
    std::uint64_t address = address_of_symbol(image, symbols, each) + static_cast<std::uint64_t>(each.addend);
    const bool is_part = each.byte >= 0;
    if (is_part) address = address >> (8 * static_cast<unsigned>(each.byte)) & 0xFF;
    const std::uint64_t width = std::min<std::uint64_t>(each.width, sizeof(address));
    if (each.offset > variable.size || width > variable.size - each.offset) continue;
    std::memcpy(bytes + each.offset, &address, width);
  }
}

}  // namespace kiln::emulator
