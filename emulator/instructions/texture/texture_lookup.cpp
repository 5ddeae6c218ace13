#include "emulator/instructions/texture/texture_lookup.hpp"

#include "emulator/machine/fault.hpp"
#include "emulator/texture/objects.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

struct GeometryRow {
  std::string_view name;
  Geometry geometry;
};
constexpr GeometryRow geometry_rows[] = {
    {"1d", {1, false, false}}, {"2d", {2, false, false}},  {"3d", {3, false, false}},  {"a1d", {1, false, true}},
    {"a2d", {2, false, true}}, {"cube", {3, true, false}}, {"acube", {3, true, true}},
};

std::shared_ptr<const Texture> object_of(std::uint64_t handle, const Texture*) { return find_texture(handle); }
std::shared_ptr<const Surface> object_of(std::uint64_t handle, const Surface*) { return find_surface(handle); }

std::string absence(std::uint64_t handle, const char* kind, const char* bind) {
  const std::string what = kind;
  std::string text = "a " + what + " by the number " + std::to_string(handle) + ", which is no " + what +
                     " object's, or that of one that was destroyed";
  if (handle == 0)
    text += "; a " + what +
            " reference that nothing is bound to has the number 0: bind memory to it before the launch (" + bind + ")";
  return text;
}
std::string absence(std::uint64_t handle, const Texture*) {
  if (find_surface(handle) != nullptr) return "reads a surface object as a texture";
  return "reads " + absence(handle, "texture", "get_texref(NAME).set_array");
}
std::string absence(std::uint64_t handle, const Surface*) {
  if (find_texture(handle) != nullptr) return "uses a texture object as a surface";
  return "uses " + absence(handle, "surface", "get_surfref(NAME).set_array");
}

}  // namespace

Geometry geometry_of(const ptx::Instruction& instruction, const Lowering& lowering) {
  if (instruction.has("2dms") || instruction.has("a2dms")) throw Unsupported{"textures of several samples"};
  const auto* const row = std::find_if(std::begin(geometry_rows), std::end(geometry_rows),
                                       [&](const GeometryRow& one) { return instruction.has(one.name); });
  if (row == std::end(geometry_rows))
    lowering.refuse("Geometry expected for instruction '" + std::string(instruction.opcode) + "'");
  return row->geometry;
}

Type type_from_end(const ptx::Instruction& instruction, unsigned from_end) {
  for (auto at = instruction.modifiers.rbegin(); at != instruction.modifiers.rend(); ++at) {
    const Type type = ptx::type_named(*at);
    if (type != Type::none && from_end-- == 0) return type;
  }
  return Type::none;
}

Slot handle_slot(const Operand& operand, Lowering& lowering) {
  const bool in_brackets = operand.kind == Operand::Kind::address || operand.kind == Operand::Kind::texture;
  const Operand& handle = in_brackets ? operand.elements.front() : operand;
  if (handle.kind == Operand::Kind::variable)
    throw Unsupported{"variables of the types .texref, .samplerref and .surfref (texture references)"};
  return lowering.in(handle, Type::u64);
}

LookupSlots lookup_slots(const Operand& operand, Geometry geometry, Type coordinate, Lowering& lowering) {
  if (operand.kind != Operand::Kind::texture) lowering.refuse("Texture or surface with coordinates expected");
  if (operand.elements.size() != 2) throw Unsupported{"samplers apart from textures"};
  LookupSlots slots;
  slots.handle = handle_slot(operand, lowering);
  std::span<const Operand> given = elements_of(operand.elements[1]);
  const std::size_t wanted = geometry.dimensions + (geometry.layered ? 1u : 0u);
  if (given.size() < wanted) lowering.refuse("Too few coordinates");  // the fourth one is only padding
  if (geometry.layered) {
    slots.layer = lowering.in(given.front(), Type::u32);
    given = given.subspan(1);
  }
  for (std::size_t i = 0; i < geometry.dimensions; ++i) slots.at[i] = lowering.in(given[i], coordinate);
  return slots;
}

template <class Object>
void ObjectsOfLanes<Object>::find(std::uint64_t handle, unsigned lane) {
  const Object* const kind = nullptr;
  object_ = object_of(handle, kind);
  if (object_ == nullptr) throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane, absence(handle, kind));
  if (const std::string fault = object_->fault(); !fault.empty())
    throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane, "uses " + fault);
  handle_ = handle;
}
template class ObjectsOfLanes<Texture>;
template class ObjectsOfLanes<Surface>;

}  // namespace kiln::emulator
