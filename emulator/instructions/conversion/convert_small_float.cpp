// cvt of two f32 to a packed pair, and to and from tf32, e4m3 and e5m2.
#include "emulator/instructions/conversion/convert_handlers.hpp"

namespace kiln::emulator {
namespace {

/// The first source goes to the upper half.
template <class To>
void convert_pair(const Step& step, Warp& warp, LaneMask active) {
  const FloatMode mode = mode_of(step);
  const std::int64_t flags = step.value;
  auto* result = warp.out<typename To::Bits>(step.operand[0]);
  const auto *upper = warp.in<std::uint32_t>(step.operand[1]), *lower = warp.in<std::uint32_t>(step.operand[2]);
  each_lane(active, [=](unsigned lane) {
    const auto low = converted<F32, To>(lower[lane], mode, flags);
    result[2 * lane + 1] = converted<F32, To>(upper[lane], mode, flags);
    result[2 * lane] = low;
  });
}

/// A tf32 is stored in the upper bits of a 32-bit register.
void convert_tf32(const Step& step, Warp& warp, LaneMask active) {
  const FloatMode mode = mode_of(step);
  const std::int64_t flags = step.value;
  auto* result = warp.out<std::uint32_t>(step.operand[0]);
  const auto* from = warp.in<std::uint32_t>(step.operand[1]);
  constexpr unsigned unused = F32::fraction_bits - Tf32::fraction_bits;
  each_lane(active, [=](unsigned lane) {
    const std::uint32_t bits = from[lane];
    // ptxas compiles .rna to integer code, which truncates a NaN, and for .satfinite decrements it like an infinity.
    if (mode.rounding == Rounding::nearest_away && is_nan<F32>(bits)) {
      result[lane] = ((bits >> unused) - ((flags & only_finite_bit) != 0 ? 1u : 0u)) << unused;
    } else {
      result[lane] = converted<F32, Tf32>(bits, mode, flags) << unused;
    }
  });
}

struct SmallFloatRow {
  std::string_view to, from;
  Handler handler;
  ptx::Type to_type, from_type;
  unsigned sources;
};
constexpr auto b16 = ptx::Type::b16, b32 = ptx::Type::b32, f32 = ptx::Type::f32;
constexpr SmallFloatRow convert_small_float_table[] = {
    {"f16x2", "f32", convert_pair<F16>, b32, f32, 2},
    {"bf16x2", "f32", convert_pair<Bf16>, b32, f32, 2},
    {"e4m3x2", "f32", convert_pair<E4m3>, b16, f32, 2},
    {"e5m2x2", "f32", convert_pair<E5m2>, b16, f32, 2},
    {"e4m3x2", "f16x2", convert_float<F16, E4m3>, b16, b32, 1},
    {"e5m2x2", "f16x2", convert_float<F16, E5m2>, b16, b32, 1},
    {"f16x2", "e4m3x2", convert_float<E4m3, F16>, b32, b16, 1},
    {"f16x2", "e5m2x2", convert_float<E5m2, F16>, b32, b16, 1},
    {"tf32", "f32", convert_tf32, b32, f32, 1},
};

}  // namespace

bool lower_small_float_conversion(const Conversion& conversion, Lowering& lowering) {
  for (const SmallFloatRow& row : convert_small_float_table) {
    if (row.to != conversion.to || row.from != conversion.from) continue;
    const auto& operands = conversion.instruction.operands;
    if (operands.size() != row.sources + 1) lowering.refuse("Arguments mismatch for instruction 'cvt'");
    const Slot first = in_of_size(lowering, operands[1], row.from_type);
    const Slot second = row.sources == 2 ? in_of_size(lowering, operands[2], row.from_type) : Slot{};
    const OutOfSize to(lowering, operands[0], row.to_type);
    emit_float_conversion(conversion, lowering, row.handler, {to.slot(), first, second}, row.sources == 2 ? 1 : 2);
    to.finish(lowering);
    return true;
  }
  return false;
}

}  // namespace kiln::emulator
