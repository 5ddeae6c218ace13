#include "emulator/instructions/texture/surface_access.hpp"

#include "emulator/machine/fault.hpp"

#include <string>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

/// Converts coordinates to bytes, row and slice (or layer).
std::array<std::int64_t, 3> coordinates(const SurfacePlan& plan, const Warp& warp, const Texels& texels,
                                        unsigned lane) {
  std::array<std::int64_t, 3> at = {};
  for (unsigned i = 0; i < plan.geometry.dimensions; ++i) at[i] = warp.in<std::int32_t>(plan.lookup.at[i])[lane];
  if (plan.by_samples) at[0] *= texels.element.size();
  if (plan.geometry.layered) at[2] = warp.in<std::uint32_t>(plan.lookup.layer)[lane];
  return at;
}

std::string place_text(const std::array<std::int64_t, 3>& at, unsigned size) {
  return std::to_string(size) + " bytes at byte " + std::to_string(at[0]) + ", row " + std::to_string(at[1]) +
         ", slice " + std::to_string(at[2]);
}

}  // namespace

std::uint64_t register_value(const Warp& warp, const SurfacePlan& plan, unsigned part, unsigned lane) {
  const Slot slot = plan.value[part];
  switch (plan.register_bytes[part]) {
    case 2:
      return warp.in<std::uint16_t>(slot)[lane];
    case 4:
      return warp.in<std::uint32_t>(slot)[lane];
    default:
      return warp.in<std::uint64_t>(slot)[lane];
  }
}

std::byte* surface_bytes(const SurfacePlan& plan, const Warp& warp, const Surface& surface, unsigned size,
                         unsigned lane) {
  const Texels& texels = surface.array->texels();
  const std::array<std::int64_t, 3> at = coordinates(plan, warp, texels, lane);
  const SurfacePlace place = surface_place(texels, at, size, plan.outside);
  if (place.bytes != nullptr) return place.bytes;
  if (place.misaligned)
    throw Fault(CUDA_ERROR_MISALIGNED_ADDRESS, lane,
                "uses " + place_text(at, size) + " of a surface: the first coordinate, in bytes, is no multiple");
  if (plan.outside == Outside::zero) return nullptr;
  throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
              "uses " + place_text(at, size) + " of a surface over a " + surface.array->text() + " with rows of " +
                  std::to_string(texels.width_bytes()) + " bytes");
}

std::shared_ptr<SurfacePlan> surface_plan(const ptx::Instruction& instruction, std::size_t place, Lowering& lowering) {
  const std::string name(instruction.opcode);
  if (instruction.operands.size() != 2) lowering.refuse("Arguments mismatch for instruction '" + name + "'");
  const auto plan = std::make_shared<SurfacePlan>();
  plan->geometry = geometry_of(instruction, lowering);
  if (plan->geometry.cube) lowering.refuse("The faces of a cube are the layers of .a2d for '" + name + "'");
  plan->by_samples = instruction.has("p");
  if (instruction.has("clamp"))
    plan->outside = Outside::clamp;
  else if (instruction.has("zero"))
    plan->outside = Outside::zero;
  const Type type = type_from_end(instruction, 0);
  if (type == Type::none) lowering.refuse("Type expected for instruction '" + name + "'");
  plan->part_bytes = static_cast<unsigned>(ptx::size_of(type));
  plan->lookup = lookup_slots(instruction.operands[place], plan->geometry, Type::s32, lowering);

  const std::span<const Operand> values = elements_of(instruction.operands[1 - place]);
  const std::size_t wanted = instruction.has("v4") ? 4 : instruction.has("v2") ? 2 : 1;
  if (values.size() != wanted) lowering.refuse("Vector of " + std::to_string(wanted) + " expected");
  plan->parts = static_cast<unsigned>(wanted);
  for (std::size_t i = 0; i < wanted; ++i)
    plan->value[i] = place == 1 ? lowering.out_any(values[i], type, plan->register_bytes[i])
                                : lowering.in_any(values[i], type, plan->register_bytes[i]);
  return plan;
}

}  // namespace kiln::emulator
