// Video instructions on two halves or four bytes: vadd2 ... vset2, vadd4 ... vset4.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/video_parts.hpp"

#include "emulator/machine/warp.hpp"

#include <iterator>
#include <memory>
#include <numeric>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

struct SimdForm {
  VideoOp op;
  unsigned bits;  // per element
  bool signed_d, signed_a, signed_b, saturate, accumulate;
  std::vector<std::uint8_t> a, b;  // source element in {b, a} of each element
  std::uint32_t mask;              // elements that are computed
};

std::uint32_t simd_result(const SimdForm& form, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = c;
  for (unsigned i = 0; i < 32 / form.bits; ++i) {
    if (((form.mask >> i) & 1u) == 0) continue;
    std::int64_t element = video_result(form.op, video_part(both, form.bits * form.a[i], form.bits, form.signed_a),
                                        video_part(both, form.bits * form.b[i], form.bits, form.signed_b));
    if (form.saturate) element = video_saturated(element, form.bits, form.signed_d);
    const std::uint32_t ones = ((1u << form.bits) - 1) << (form.bits * i);
    if (form.accumulate)
      result += static_cast<std::uint32_t>(element);
    else
      result = (result & ~ones) | (static_cast<std::uint32_t>(element) << (form.bits * i) & ones);
  }
  return result;
}

void simd(const Step& step, Warp& warp, LaneMask active) {
  const auto& form = *static_cast<const SimdForm*>(step.data);
  auto* d = warp.out<std::uint32_t>(step.operand[0]);
  const auto *a = warp.in<std::uint32_t>(step.operand[1]), *b = warp.in<std::uint32_t>(step.operand[2]),
             *c = warp.in<std::uint32_t>(step.operand[3]);
  each_lane(active, [&](unsigned lane) { d[lane] = simd_result(form, a[lane], b[lane], c[lane]); });
}

std::vector<std::uint8_t> counted(std::size_t count, std::uint8_t from) {
  std::vector<std::uint8_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), from);
  return numbers;
}

void lower_video_simd(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 4);
  const std::vector<Operand>& operands = instruction.operands;
  const unsigned count = instruction.opcode.back() == '2' ? 2 : 4;
  const bool is_set = instruction.opcode.starts_with("vset");
  // vset does not name the type of its result, which is unsigned.
  const auto is_signed = [&](std::size_t n) { return type_of(lowering, n) == Type::s32; };
  SimdForm form{video_op_of(lowering),
                32 / count,
                !is_set && is_signed(0),
                is_signed(is_set ? 0 : 1),
                is_signed(is_set ? 1 : 2),
                instruction.has("sat"),
                instruction.has("add"),
                video_selector(operands[1], counted(count, 0)),
                video_selector(operands[2], counted(count, static_cast<std::uint8_t>(count))),
                0};
  if (form.a.size() != count || form.b.size() != count) refuse(lowering, "A selector must name each element");
  for (const std::uint8_t element : video_selector(operands[0], counted(count, 0))) form.mask |= 1u << element;
  for (std::vector<std::uint8_t>* selector : {&form.a, &form.b})
    for (std::uint8_t& element : *selector) element = static_cast<std::uint8_t>(element % (2 * count));

  Slot slots[4];
  for (std::size_t i = 1; i < 4; ++i) slots[i] = lowering.in(video_register(operands[i]), Type::b32);
  slots[0] = lowering.out(video_register(operands[0]), Type::b32);
  Step& step = lowering.emit(&simd);
  std::copy(std::begin(slots), std::end(slots), step.operand);
  step.data = lowering.keep_data(std::make_shared<SimdForm>(std::move(form)));
}

constexpr InstructionRow video_simd_table[] = {
    {"vadd2", &lower_video_simd},     {"vsub2", &lower_video_simd},     {"vavrg2", &lower_video_simd},
    {"vabsdiff2", &lower_video_simd}, {"vmin2", &lower_video_simd},     {"vmax2", &lower_video_simd},
    {"vset2", &lower_video_simd},     {"vadd4", &lower_video_simd},     {"vsub4", &lower_video_simd},
    {"vavrg4", &lower_video_simd},    {"vmin4", &lower_video_simd},     {"vmax4", &lower_video_simd},
    {"vset4", &lower_video_simd},     {"vabsdiff4", &lower_video_simd},
};

}  // namespace

std::span<const InstructionRow> video_simd_rows() { return video_simd_table; }

}  // namespace kiln::emulator
