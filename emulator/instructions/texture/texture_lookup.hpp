// Shared by texture and surface instructions: geometry, coordinates, handles.
#pragma once

#include "emulator/instructions/forms.hpp"
#include "emulator/lowering/lowering.hpp"
#include "emulator/texture/sample.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace kiln::emulator {

// instructions/texture_fetch.cpp, texture_query.cpp, surface.cpp
void lower_tex(const ptx::Instruction& instruction, Lowering& lowering);
void lower_tld4(const ptx::Instruction& instruction, Lowering& lowering);
void lower_query(const ptx::Instruction& instruction, Lowering& lowering);  // txq, suq
void lower_istypep(const ptx::Instruction& instruction, Lowering& lowering);
void lower_surface_load(const ptx::Instruction& instruction, Lowering& lowering);
void lower_surface_store(const ptx::Instruction& instruction, Lowering& lowering);
void lower_surface_reduction(const ptx::Instruction& instruction, Lowering& lowering);

/// The geometry of the modifier ("1d", "a2d", "cube" ...). Throws Unsupported for multisampling; refuses the text
/// without one.
Geometry geometry_of(const ptx::Instruction& instruction, const Lowering& lowering);
/// The type among the modifiers, counted from the end.
ptx::Type type_from_end(const ptx::Instruction& instruction, unsigned from_end);

/// The slots of "[handle, {index, x, y, z}]".
struct LookupSlots {
  Slot handle;
  Slot layer;  // only for layered geometries
  std::array<Slot, 3> at;
};
/// Throws Unsupported for variables of type .texref and .surfref, and for separate samplers.
LookupSlots lookup_slots(const ptx::Operand& operand, Geometry geometry, ptx::Type coordinate, Lowering& lowering);
/// The handle in "[handle]" or at the beginning of a longer operand.
Slot handle_slot(const ptx::Operand& operand, Lowering& lowering);

/// Looks up the objects of a warp's handles; usually all lanes have the same. Throws Fault for an unknown handle.
template <class Object>
class ObjectsOfLanes {
 public:
  const Object& at(std::uint64_t handle, unsigned lane) {
    if (object_ == nullptr || handle != handle_) find(handle, lane);
    return *object_;
  }

 private:
  void find(std::uint64_t handle, unsigned lane);  // texture_lookup.cpp, for textures and surfaces

  std::uint64_t handle_ = 0;
  std::shared_ptr<const Object> object_;
};

}  // namespace kiln::emulator
