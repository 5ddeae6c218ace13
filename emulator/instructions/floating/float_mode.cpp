#include "emulator/instructions/floating/float_mode.hpp"

#include <array>
#include <utility>

namespace kiln::emulator {
namespace {

constexpr std::pair<std::string_view, FloatType> type_names[] = {
    {"f32", FloatType::f32},     {"f64", FloatType::f64},   {"f16", FloatType::f16},
    {"f16x2", FloatType::f16x2}, {"bf16", FloatType::bf16}, {"bf16x2", FloatType::bf16x2},
};
constexpr std::pair<std::string_view, Rounding> rounding_names[] = {
    {"rn", Rounding::nearest}, {"rz", Rounding::zero},     {"rm", Rounding::down},
    {"rp", Rounding::up},      {"rni", Rounding::nearest}, {"rzi", Rounding::zero},
    {"rmi", Rounding::down},   {"rpi", Rounding::up},      {"rna", Rounding::nearest_away},
};

}  // namespace

bool read_float_type(std::string_view modifier, FloatType& type) {
  for (const auto& [name, named] : type_names) {
    if (name != modifier) continue;
    type = named;
    return true;
  }
  return false;
}

FloatType float_type(const ptx::Instruction& instruction) {
  FloatType type;
  for (const std::string_view modifier : instruction.modifiers)
    if (read_float_type(modifier, type)) return type;
  const std::string_view last = instruction.modifiers.empty() ? std::string_view() : instruction.modifiers.back();
  throw Unsupported{std::string(instruction.opcode) + " of type ." + std::string(last)};
}

FloatMode float_mode(const ptx::Instruction& instruction, FloatType type) {
  FloatMode mode;
  for (const std::string_view modifier : instruction.modifiers) {
    for (const auto& [name, rounding] : rounding_names)
      if (name == modifier) mode.rounding = rounding;
    mode.ftz |= modifier == "ftz";
    mode.sat |= modifier == "sat";
    mode.relu |= modifier == "relu";
  }
  mode.elements = type == FloatType::f16x2 || type == FloatType::bf16x2 ? 2 : 1;
  return mode;
}

ptx::Type register_type(FloatType type) {
  switch (type) {
    case FloatType::f16:
    case FloatType::bf16:
      return ptx::Type::b16;
    case FloatType::f16x2:
    case FloatType::bf16x2:
      return ptx::Type::b32;
    case FloatType::f32:
      return ptx::Type::f32;
    case FloatType::f64:
      break;
  }
  return ptx::Type::f64;
}

}  // namespace kiln::emulator
