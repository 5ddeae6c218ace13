// Shared by suld, sust and sured: the bytes of a surface that each lane accesses.
#pragma once

#include "emulator/instructions/texture/texture_lookup.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/texture/surface_place.hpp"

#include <memory>

namespace kiln::emulator {

/// The parameters of a step.
struct SurfacePlan {
  Geometry geometry;
  LookupSlots lookup;
  bool by_samples = false;  // sust.p, sured.p: the first coordinate counts elements, not bytes
  Outside outside = Outside::trap;
  unsigned part_bytes = 0;  // size of a component: 1, 2, 4 or 8
  unsigned parts = 1;
  std::array<Slot, 4> value;
  std::array<unsigned, 4> register_bytes = {};  // a register may be wider than its component
};

/// Operand `place` of the instruction is the surface with coordinates, the other one the value.
std::shared_ptr<SurfacePlan> surface_plan(const ptx::Instruction& instruction, std::size_t place, Lowering& lowering);

std::uint64_t register_value(const Warp& warp, const SurfacePlan& plan, unsigned part, unsigned lane);

/// The bytes that the lane accesses; null if it accesses none (.zero). Throws Fault.
std::byte* surface_bytes(const SurfacePlan& plan, const Warp& warp, const Surface& surface, unsigned size,
                         unsigned lane);

/// Calls use(lane, bytes) for each lane; `size_of(surface)` returns the size of the access.
template <class SizeOf, class Use>
void each_place(const SurfacePlan& plan, Warp& warp, LaneMask active, SizeOf size_of, Use use) {
  ObjectsOfLanes<Surface> surfaces;
  const std::uint64_t* const handles = warp.in<std::uint64_t>(plan.lookup.handle);
  each_lane(active, [&](unsigned lane) {
    const Surface& surface = surfaces.at(handles[lane], lane);
    use(lane, surface_bytes(plan, warp, surface, size_of(surface), lane), surface);
  });
}

}  // namespace kiln::emulator
