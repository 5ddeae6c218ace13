// What the families of texture and surface instructions have in common: geometry, coordinates, handles.
#pragma once

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

/// By the modifier "1d", "a2d", "cube" and so on. Throws NotDone for samples, refuses where there is none.
Geometry geometry_of(const ptx::Instruction& instruction, const Lowering& lowering);
/// The last modifier but `from_end` that is a type.
ptx::Type type_from_end(const ptx::Instruction& instruction, unsigned from_end);

/// The elements of a vector, or the operand itself.
std::span<const ptx::Operand> elements_of(const ptx::Operand& operand);

/// Where the parts of "[handle, {index, x, y, z}]" are.
struct LookupSlots {
  Slot handle;
  Slot layer;  // only of layered geometries
  std::array<Slot, 3> at;
};
/// Throws NotDone for variables of the types .texref and .surfref, and for samplers apart from textures.
LookupSlots lookup_slots(const ptx::Operand& operand, Geometry geometry, ptx::Type coordinate, Lowering& lowering);
/// The handle of "[handle]" alone, or of the first of several.
Slot handle_slot(const ptx::Operand& operand, Lowering& lowering);

/// The objects behind a warp's handles: most often one for all lanes. Throws Fault for a handle of none.
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
