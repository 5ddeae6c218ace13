// suld and sust.
#include "emulator/instructions/texture/surface_access.hpp"
#include "emulator/memory/relaxed_values.hpp"

namespace kiln::emulator {
namespace {

void set_register(Warp& warp, const SurfacePlan& plan, unsigned part, unsigned lane, std::uint64_t value) {
  const Slot slot = plan.value[part];
  switch (plan.register_bytes[part]) {
    case 2:
      warp.out<std::uint16_t>(slot)[lane] = static_cast<std::uint16_t>(value);
      return;
    case 4:
      warp.out<std::uint32_t>(slot)[lane] = static_cast<std::uint32_t>(value);
      return;
    default:
      warp.out<std::uint64_t>(slot)[lane] = value;
  }
}

void load_surface(const Step& step, Warp& warp, LaneMask active) {
  const SurfacePlan& plan = *static_cast<const SurfacePlan*>(step.data);
  const auto size = [&](const Surface&) { return plan.part_bytes * plan.parts; };
  each_place(plan, warp, active, size, [&](unsigned lane, const std::byte* bytes, const Surface&) {
    for (unsigned i = 0; i < plan.parts; ++i) {
      const std::uint64_t value = bytes == nullptr ? 0 : relaxed_load(bytes + i * plan.part_bytes, plan.part_bytes);
      set_register(warp, plan, i, lane, value);
    }
  });
}

void store_surface(const Step& step, Warp& warp, LaneMask active) {
  const SurfacePlan& plan = *static_cast<const SurfacePlan*>(step.data);
  const auto size = [&](const Surface&) { return plan.part_bytes * plan.parts; };
  each_place(plan, warp, active, size, [&](unsigned lane, std::byte* bytes, const Surface&) {
    if (bytes == nullptr) return;
    for (unsigned i = 0; i < plan.parts; ++i)
      relaxed_store(bytes + i * plan.part_bytes, register_value(warp, plan, i, lane), plan.part_bytes);
  });
}

void store_formatted(const Step& step, Warp& warp, LaneMask active) {
  const SurfacePlan& plan = *static_cast<const SurfacePlan*>(step.data);
  const auto size = [](const Surface& surface) { return surface.array->texels().element.size(); };
  each_place(plan, warp, active, size, [&](unsigned lane, std::byte* bytes, const Surface& surface) {
    if (bytes == nullptr) return;
    Texel texel = {};
    for (unsigned i = 0; i < plan.parts; ++i)
      texel[i] = static_cast<std::uint32_t>(register_value(warp, plan, i, lane));
    write_element(bytes, surface.array->texels().element, texel);
  });
}

}  // namespace

void lower_surface_load(const ptx::Instruction& instruction, Lowering& lowering) {
  const auto plan = surface_plan(instruction, 1, lowering);
  if (plan->by_samples) throw Unsupported{"suld.p"};  // current ptxas does not know it
  lowering.emit(load_surface).data = lowering.keep_data(plan);
}

void lower_surface_store(const ptx::Instruction& instruction, Lowering& lowering) {
  const auto plan = surface_plan(instruction, 0, lowering);
  lowering.emit(plan->by_samples ? store_formatted : store_surface).data = lowering.keep_data(plan);
}

}  // namespace kiln::emulator
