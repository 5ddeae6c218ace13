// Scalar video instructions: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset, vmad.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/integer/video_parts.hpp"
#include "emulator/instructions/lanewise.hpp"
#include "emulator/numbers/wide_integer.hpp"

#include <cctype>
#include <memory>

#include <algorithm>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

/// The place of a byte, a half or a whole register.
struct VideoPart {
  unsigned first = 0, bits = 32;
  bool is_signed = false;
  std::int64_t of(std::uint32_t word) const { return video_part(word, first, bits, is_signed); }
};
VideoPart part_of(const Operand& operand, Type type) {
  const bool is_signed = type == Type::s32;
  if (operand.name.size() != 2) return {0, 32, is_signed};
  const auto number = static_cast<unsigned>(operand.name[1] - '0');
  if (operand.name[0] == 'b') return {8 * (number & 3u), 8, is_signed};
  return {16 * (number & 1u), 16, is_signed};
}

enum class Second : std::uint8_t { none, add, minimum, maximum };
struct ScalarForm {
  VideoOp op;
  VideoPart d, a, b;
  bool saturate, clamp, wrap, merge;
  Second second;
};

std::uint32_t scalar_result(const ScalarForm& form, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::int64_t right = form.b.of(b);
  if (form.clamp) right = std::min<std::int64_t>(right, 32);
  if (form.wrap) right &= 31;
  std::int64_t result = video_result(form.op, form.a.of(a), right);
  if (form.saturate) result = video_saturated(result, form.d.bits, form.d.is_signed);
  if (form.merge) {
    const std::uint32_t mask = ((1u << form.d.bits) - 1) << form.d.first;
    // An upper half receives the upper half of the result, contrary to the manual (seen on an H200).
    const unsigned shift = form.d.bits == 16 ? 0 : form.d.first;
    return (c & ~mask) | (static_cast<std::uint32_t>(result) << shift & mask);
  }
  // From here on the result has 32 bits.
  const VideoPart whole{0, 32, form.d.is_signed};
  const std::int64_t first = whole.of(static_cast<std::uint32_t>(result)), other = whole.of(c);
  switch (form.second) {
    case Second::add:
      return static_cast<std::uint32_t>(result) + c;
    case Second::minimum:
      return static_cast<std::uint32_t>(std::min(first, other));
    case Second::maximum:
      return static_cast<std::uint32_t>(std::max(first, other));
    default:
      return static_cast<std::uint32_t>(result);
  }
}

void scalar(const Step& step, Warp& warp, LaneMask active) {
  const auto& form = *static_cast<const ScalarForm*>(step.data);
  auto* d = warp.out<std::uint32_t>(step.operand[0]);
  const auto *a = warp.in<std::uint32_t>(step.operand[1]), *b = warp.in<std::uint32_t>(step.operand[2]),
             *c = warp.in<std::uint32_t>(step.operand[3]);
  each_lane(active, [&](unsigned lane) { d[lane] = scalar_result(form, a[lane], b[lane], c[lane]); });
}

/// d, a, b and c (optional), all of 32 bits.
Step& emit_video(Lowering& lowering, Handler handler, std::shared_ptr<const void> form) {
  const std::vector<Operand>& operands = lowering.instruction().operands;
  Slot sources[3];
  for (std::size_t i = 1; i < 4; ++i)
    sources[i - 1] =
        i < operands.size() ? lowering.in(video_register(operands[i]), Type::b32) : lowering.constant(0, 4);
  const Slot d = lowering.out(video_register(operands[0]), Type::b32);
  Step& step = lowering.emit(handler);
  step.operand[0] = d;
  std::copy(std::begin(sources), std::end(sources), step.operand + 1);
  step.data = lowering.keep_data(std::move(form));
  return step;
}

void lower_scalar(const ptx::Instruction& instruction, Lowering& lowering) {
  const bool merge = !instruction.operands.empty() && !instruction.operands[0].name.empty();
  const bool is_set = instruction.opcode == "vset";
  Second second = Second::none;
  if (instruction.has("add")) second = Second::add;
  if (instruction.has("min")) second = Second::minimum;
  if (instruction.has("max")) second = Second::maximum;
  if (!merge && second == Second::none && instruction.operands.size() == 4)
    throw Unsupported{"a fourth operand without an operation on it"};
  expect_operands(lowering, merge || second != Second::none ? 4 : 3);
  // vset does not name the type of its result, which is unsigned.
  const Type result = is_set ? Type::u32 : type_of(lowering);
  const VideoOp op = video_op_of(lowering);
  const bool shifts = op == VideoOp::left || op == VideoOp::right, wrap = instruction.has("wrap");
  const Type a = type_of(lowering, is_set ? 0 : 1), b = shifts ? Type::u32 : type_of(lowering, is_set ? 1 : 2);
  const std::vector<Operand>& operands = instruction.operands;
  const ScalarForm form{op,
                        part_of(operands[0], result),
                        part_of(operands[1], a),
                        part_of(operands[2], b),
                        instruction.has("sat"),
                        shifts && !wrap,
                        shifts && wrap,
                        merge,
                        second};
  emit_video(lowering, &scalar, std::make_shared<ScalarForm>(form));
}

struct MultiplyForm {
  VideoPart a, b;
  bool negate_product, negate_c, plus_one, saturate, is_signed;
  unsigned shift;
};

std::uint32_t multiply_result(const MultiplyForm& form, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const Int128 product = static_cast<Int128>(form.a.of(a)) * form.b.of(b);
  const Int128 third = VideoPart{0, 32, true}.of(c);  // an H200 sign-extends unsigned values too
  const Int128 sum =
      (form.negate_product ? -product : product) + (form.negate_c ? -third : third) + (form.plus_one ? 1 : 0);
  if (form.saturate && !form.is_signed)
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(sum) >> form.shift, 0xFFFFFFFFu));
  const auto scaled = static_cast<std::int64_t>(sum >> form.shift);
  return static_cast<std::uint32_t>(form.saturate ? video_saturated(scaled, 32, true) : scaled);
}

void multiply_add_video(const Step& step, Warp& warp, LaneMask active) {
  const auto& form = *static_cast<const MultiplyForm*>(step.data);
  auto* d = warp.out<std::uint32_t>(step.operand[0]);
  const auto *a = warp.in<std::uint32_t>(step.operand[1]), *b = warp.in<std::uint32_t>(step.operand[2]),
             *c = warp.in<std::uint32_t>(step.operand[3]);
  each_lane(active, [&](unsigned lane) { d[lane] = multiply_result(form, a[lane], b[lane], c[lane]); });
}

void lower_vmad(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 4);
  const std::vector<Operand>& operands = instruction.operands;
  const Type a = type_of(lowering, 1), b = type_of(lowering, 2);
  const bool negate_product = operands[1].negated != operands[2].negated, negate_c = operands[3].negated;
  const bool is_signed = a == Type::s32 || b == Type::s32 || negate_product || negate_c;
  const unsigned shift = instruction.has("shr7") ? 7 : instruction.has("shr15") ? 15 : 0;
  emit_video(lowering, &multiply_add_video,
             std::make_shared<MultiplyForm>(MultiplyForm{part_of(operands[1], a), part_of(operands[2], b),
                                                         negate_product, negate_c, instruction.has("po"),
                                                         instruction.has("sat"), is_signed, shift}));
}

constexpr InstructionRow video_table[] = {
    {"vadd", &lower_scalar}, {"vsub", &lower_scalar}, {"vabsdiff", &lower_scalar},
    {"vmin", &lower_scalar}, {"vmax", &lower_scalar}, {"vshl", &lower_scalar},
    {"vshr", &lower_scalar}, {"vset", &lower_scalar}, {"vmad", &lower_vmad},
};

struct NamedOp {
  std::string_view name;
  VideoOp op;
};
constexpr NamedOp video_operations[] = {
    {"add", VideoOp::add},     {"sub", VideoOp::subtract}, {"avrg", VideoOp::average}, {"absdiff", VideoOp::difference},
    {"min", VideoOp::minimum}, {"max", VideoOp::maximum},  {"shl", VideoOp::left},     {"shr", VideoOp::right},
};
constexpr NamedOp comparisons[] = {
    {"eq", VideoOp::equal},         {"ne", VideoOp::not_equal}, {"lt", VideoOp::less},
    {"le", VideoOp::less_or_equal}, {"gt", VideoOp::greater},   {"ge", VideoOp::greater_or_equal},
};

}  // namespace

VideoOp video_op_of(const Lowering& lowering) {
  std::string_view name = lowering.instruction().opcode.substr(1);
  if (std::isdigit(static_cast<unsigned char>(name.back())) != 0) name.remove_suffix(1);
  for (const NamedOp& row : video_operations)
    if (row.name == name) return row.op;
  for (const NamedOp& row : comparisons)
    if (lowering.instruction().has(row.name)) return row.op;
  refuse_types(lowering);
}

std::int64_t video_result(VideoOp op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case VideoOp::add:
      return a + b;
    case VideoOp::subtract:
      return a - b;
    case VideoOp::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOp::difference:
      return a < b ? b - a : a - b;
    case VideoOp::minimum:
      return std::min(a, b);
    case VideoOp::maximum:
      return std::max(a, b);
    case VideoOp::left:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
    case VideoOp::right:
      return a >> b;
    case VideoOp::equal:
      return a == b ? 1 : 0;
    case VideoOp::not_equal:
      return a != b ? 1 : 0;
    case VideoOp::less:
      return a < b ? 1 : 0;
    case VideoOp::less_or_equal:
      return a <= b ? 1 : 0;
    case VideoOp::greater:
      return a > b ? 1 : 0;
    default:
      return a >= b ? 1 : 0;
  }
}

std::vector<std::uint8_t> video_selector(const Operand& operand, std::vector<std::uint8_t> otherwise) {
  if (operand.name.size() < 2) return otherwise;
  std::vector<std::uint8_t> digits;
  for (std::size_t i = operand.name.size(); i-- > 1;)
    digits.push_back(static_cast<std::uint8_t>((operand.name[i] - '0') & 7));
  return digits;
}

Operand video_register(const Operand& operand) {
  Operand whole = operand;
  if (whole.kind == Operand::Kind::reg) whole.name = {};
  whole.negated = false;
  return whole;
}

std::span<const InstructionRow> video_rows() {
  static const std::vector<InstructionRow> all = united({video_table, video_simd_rows()});
  return all;
}

}  // namespace kiln::emulator
