// What suld, sust and sured have in common: which bytes of a surface each lane touches.
#pragma once

#include "emulator/instructions/texture/texture_lookup.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/texture/surface_place.hpp"

#include <memory>

namespace kiln::emulator {

/// What a step does.
struct SurfacePlan {
  Geometry geometry;
  LookupSlots lookup;
  bool by_samples = false;  // sust.p, sured.p: the first coordinate counts elements, not bytes
  Outside outside = Outside::trap;
  unsigned part_bytes = 0;  // of one component: 1, 2, 4 or 8
  unsigned parts = 1;
  std::array<Slot, 4> value;
  std::array<unsigned, 4> register_bytes = {};  // a register may be wider than its component
};

/// Operand `place` of the instruction is the surface with its coordinates, the other one the value.
std::shared_ptr<SurfacePlan> surface_plan(const ptx::Instruction& instruction, std::size_t place, Lowering& lowering);

std::uint64_t register_value(const Warp& warp, const SurfacePlan& plan, unsigned part, unsigned lane);

/// The bytes that the lane touches; null where it touches none (.zero). Throws Fault.
std::byte* surface_bytes(const SurfacePlan& plan, const Warp& warp, const Surface& surface, unsigned size,
                         unsigned lane);

/// Calls use(lane, bytes) for each lane; `size_of(surface)` tells how many bytes it touches.
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
