#include "emulator/lowering/frame_values.hpp"

#include "emulator/machine/block.hpp"

namespace kiln::emulator {
namespace {

void set_all(const Step& step, Warp& warp, LaneMask active, std::uint64_t base) {
  const std::uint64_t value = base + static_cast<std::uint64_t>(step.value);
  if (step.small[0] == 8) {
    std::uint64_t* const out = warp.out<std::uint64_t>(step.operand[0]);
    each_lane(active, [=](unsigned lane) { out[lane] = value; });
  } else {
    std::uint32_t* const out = warp.out<std::uint32_t>(step.operand[0]);
    each_lane(active, [=](unsigned lane) { out[lane] = static_cast<std::uint32_t>(value); });
  }
}

}  // namespace

void negate_predicate(const Step& step, Warp& warp, LaneMask active) {
  warp.set_mask(step.operand[0], active, ~warp.mask(step.operand[1]));
}

void add_dynamic_shared(const Step& step, Warp& warp, LaneMask active) {
  set_all(step, warp, active, warp.block().dynamic_shared_offset());
}

void add_local_base(const Step& step, Warp& warp, LaneMask active) {
  set_all(step, warp, active, warp.frame().local_base);
}

}  // namespace kiln::emulator
