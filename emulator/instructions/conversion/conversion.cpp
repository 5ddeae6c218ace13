// cvt: reads the modifiers, and selects the kind of conversion.
#include "emulator/instructions/conversion/conversion.hpp"

#include "emulator/instructions/families.hpp"
#include "emulator/instructions/floating/float_handlers.hpp"

#include <algorithm>
#include <array>

namespace kiln::emulator {
namespace {

constexpr std::string_view no_types[] = {"rn",  "rz",  "rm",  "rp",  "rni",  "rzi",      "rmi",
                                         "rpi", "rna", "ftz", "sat", "relu", "satfinite"};

void lower_cvt(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("pack")) return lower_cvt_pack(instruction, lowering);
  Conversion conversion{instruction, {}, {}, float_mode(instruction, FloatType::f32)};
  for (const std::string_view modifier : instruction.modifiers) {
    conversion.only_finite |= modifier == "satfinite";
    conversion.to_integral |= modifier.size() == 3 && modifier.starts_with('r') && modifier.ends_with('i');
    if (std::find(std::begin(no_types), std::end(no_types), modifier) != std::end(no_types)) continue;
    if (!conversion.from.empty()) throw_unsupported(instruction, "with ." + std::string(modifier));
    (conversion.to.empty() ? conversion.to : conversion.from) = modifier;
  }
  if (instruction.operands.size() < 2) lowering.refuse("Arguments mismatch for instruction 'cvt'");
  if (!lower_integer_conversion(conversion, lowering) && !lower_integer_float_conversion(conversion, lowering) &&
      !lower_float_conversion(conversion, lowering) && !lower_small_float_conversion(conversion, lowering))
    throw_unsupported(instruction, "to ." + std::string(conversion.to) + " from ." + std::string(conversion.from));
}

}  // namespace

std::span<const InstructionRow> conversion_rows() {
  static constexpr InstructionRow rows[] = {{"cvt", lower_cvt}};
  return rows;
}

}  // namespace kiln::emulator
