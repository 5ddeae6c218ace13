#include "emulator/instructions/memory/memory_family.hpp"

#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/machine/fault.hpp"
#include "emulator/machine/step.hpp"

#include <memory>
#include <string>

namespace kiln::emulator {

ptx::Type memory_type(const ptx::Instruction& instruction, Lowering& lowering) {
  for (const std::string_view modifier : instruction.modifiers) {
    const ptx::Type type = ptx::type_named(modifier);
    if (type != ptx::Type::none && type != ptx::Type::pred) return type;
  }
  refuse(lowering, std::string(instruction.opcode) + " needs a type");
}

void check_vector(const ptx::Instruction& instruction, Lowering& lowering, std::size_t count) {
  const std::size_t stated = instruction.has("v2") ? 2 : instruction.has("v4") ? 4 : instruction.has("v8") ? 8 : 1;
  if (stated != count)
    lowering.refuse(std::string(instruction.opcode) + " has " + std::to_string(count) + " values where its type says " +
                    std::to_string(stated));
}

namespace {

void stop_out_of_bounds(const Step& step, Warp&, LaneMask active) {
  throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, first_lane(active), *static_cast<const std::string*>(step.data));
}

}  // namespace

bool beyond_parameter(const ptx::Operand& address, std::size_t bytes, Lowering& lowering) {
  const ptx::Operand& base = address.kind == ptx::Operand::Kind::address ? address.elements.at(0) : address;
  if (base.kind != ptx::Operand::Kind::variable || base.variable->space != ptx::Space::param) return false;
  const ptx::Variable& variable = *base.variable;
  const std::int64_t first = base.offset + (&base == &address ? 0 : address.offset);
  const auto last = static_cast<std::int64_t>(variable.size) - static_cast<std::int64_t>(bytes);
  if (first >= 0 && first <= last) return false;
  const char* const verb = lowering.instruction().opcode == "st" ? "writes " : "reads ";
  lowering.emit(stop_out_of_bounds).data = lowering.keep_data(std::make_shared<std::string>(
      verb + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " at offset " + std::to_string(first) +
      " of the parameter " + std::string(variable.name) + ", which has " + std::to_string(variable.size)));
  return true;
}

namespace {

// The type of the registers of a vector. Immediates and sinks in it get the same type.
ptx::Type element_type(const ptx::Operand& vector, ptx::Type type, const Lowering& lowering) {
  for (const ptx::Operand& element : vector.elements)
    if (element.kind == ptx::Operand::Kind::reg) return lowering.function().registers.at(element.index).type;
  return type;
}

MemoryValues memory_values(const ptx::Operand& operand, ptx::Type type, Lowering& lowering, bool loads) {
  MemoryValues values;
  values.is_vector = operand.kind == ptx::Operand::Kind::vector;
  if (values.is_vector) {
    const ptx::Type wide = element_type(operand, type, lowering);
    values.register_size = static_cast<unsigned>(ptx::size_of(wide));
    for (const ptx::Operand& element : operand.elements)
      values.slots.push_back(loads ? lowering.out(element, wide) : lowering.in(element, wide));
  } else {
    values.slots.push_back(loads ? lowering.out_any(operand, type, values.register_size)
                                 : lowering.in_any(operand, type, values.register_size));
  }
  check_vector(lowering.instruction(), lowering, values.slots.size());
  return values;
}

}  // namespace

MemoryValues loaded_values(const ptx::Operand& operand, ptx::Type type, Lowering& lowering) {
  return memory_values(operand, type, lowering, true);
}

MemoryValues stored_values(const ptx::Operand& operand, ptx::Type type, Lowering& lowering) {
  return memory_values(operand, type, lowering, false);
}

void MemoryValues::put(Step& step, Lowering& lowering) const {
  step.operand[0] = slots.front();
  if (is_vector) step.more = lowering.keep(slots);
}

std::span<const InstructionRow> memory_rows() {
  static constexpr InstructionRow rows[] = {
      {"ld", lower_load},
      {"ldu", lower_load},
      {"st", lower_store},
      {"cvta", lower_cvta},
      {"isspacep", lower_isspacep},
      {"prefetch", lower_prefetch},
      {"prefetchu", lower_prefetch},
      {"applypriority", lower_prefetch},
      {"discard", lower_discard},
      {"createpolicy", lower_createpolicy},
  };
  return rows;
}

}  // namespace kiln::emulator
