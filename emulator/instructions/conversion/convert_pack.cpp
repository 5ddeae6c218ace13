// cvt.pack: packs two saturated integers, optionally below already packed ones.
#include "emulator/instructions/conversion/convert_handlers.hpp"
#include "emulator/instructions/floating/float_handlers.hpp"

namespace kiln::emulator {
namespace {

struct Packing {
  std::string_view to;
  IntegerType type;
};
constexpr Packing packings[] = {
    {"u16", {16, false}}, {"s16", {16, true}}, {"u8", {8, false}}, {"s8", {8, true}},
    {"u4", {4, false}},   {"s4", {4, true}},   {"u2", {2, false}}, {"s2", {2, true}},
};

void convert_and_pack(const Step& step, Warp& warp, LaneMask active) {
  const auto type = std::bit_cast<std::array<IntegerType, 1>>(std::array{step.small[0], step.small[1]})[0];
  auto* result = warp.out<std::uint32_t>(step.operand[0]);
  const auto *upper = warp.in<std::uint32_t>(step.operand[1]), *lower = warp.in<std::uint32_t>(step.operand[2]);
  const auto* above = warp.in<std::uint32_t>(step.operand[3]);
  const std::uint64_t field = (std::uint64_t{1} << type.bits) - 1;
  const auto one = [=](std::uint32_t value) {
    const std::uint64_t wide = extended(value, {32, true});
    return saturated((wide >> 63) != 0, wide, type) & field;
  };
  each_lane(active, [=](unsigned lane) {
    const std::uint64_t rest = std::uint64_t{above[lane]} << (2 * type.bits);
    result[lane] = static_cast<std::uint32_t>(rest | one(upper[lane]) << type.bits | one(lower[lane]));
  });
}

}  // namespace

void lower_cvt_pack(const ptx::Instruction& instruction, Lowering& lowering) {
  // pack.sat.u8.s32 d, a, b or pack.sat.u8.s32.b32 d, a, b, c
  const auto& operands = instruction.operands;
  for (const Packing& each : packings) {
    if (instruction.modifiers.size() < 4 || instruction.modifiers[2] != each.to) continue;
    if (operands.size() != (instruction.has("b32") ? 4u : 3u))
      lowering.refuse("Arguments mismatch for instruction 'cvt.pack'");
    const Slot upper = lowering.in(operands[1], ptx::Type::s32), lower = lowering.in(operands[2], ptx::Type::s32);
    const Slot above = operands.size() == 4 ? lowering.in(operands[3], ptx::Type::b32) : lowering.constant(0, 4);
    const Slot result = lowering.out(operands[0], ptx::Type::b32);
    Step& step = lowering.emit(convert_and_pack);
    step.operand[0] = result;
    step.operand[1] = upper;
    step.operand[2] = lower;
    step.operand[3] = above;
    set_small(step, each.type);
    return;
  }
  throw_unsupported(instruction, "pack of this form");
}

}  // namespace kiln::emulator
