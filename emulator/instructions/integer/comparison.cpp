// Integer setp and set: a comparison, combined with a predicate. Comparisons with a floating-point type are in
// float_compare.cpp.
#include "emulator/instructions/comparison_parts.hpp"
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Type;

struct Equal {
  bool operator()(auto a, auto b) const { return a == b; }
};
struct NotEqual {
  bool operator()(auto a, auto b) const { return a != b; }
};
struct Less {
  bool operator()(auto a, auto b) const { return a < b; }
};
struct LessOrEqual {
  bool operator()(auto a, auto b) const { return a <= b; }
};

/// The BoolOp of small[0] with operand[4], if there is one.
LaneMask with_other(const Step& step, const Warp& warp, LaneMask result) {
  const auto combine = static_cast<BoolOp>(step.small[0]);
  return combine == BoolOp::none ? result : combined(combine, result, warp.mask(step.operand[4]));
}

template <class Op, class T>
LaneMask compared(const Step& step, const Warp& warp, LaneMask active) {
  const T *a = warp.in<T>(step.operand[2]), *b = warp.in<T>(step.operand[3]);
  return lanes_where_apart(active, [=](unsigned lane) { return Op{}(a[lane], b[lane]); });
}

/// operand[0] = operand[2] Op operand[3].
template <class Op, class T>
void set_predicate(const Step& step, Warp& warp, LaneMask active) {
  warp.set_mask(step.operand[0], active, compared<Op, T>(step, warp, active));
}
/// operand[0] = (operand[2] Op operand[3]) BoolOp operand[4]; operand[1] = the same for the negated comparison.
template <class Op, class T>
void set_predicates(const Step& step, Warp& warp, LaneMask active) {
  const LaneMask result = compared<Op, T>(step, warp, active);
  const LaneMask first = with_other(step, warp, result), second = with_other(step, warp, ~result);
  warp.set_mask(step.operand[0], active, first);
  warp.set_mask(step.operand[1], active, second);
}
/// The same with the result as a value: operand[0] = (...) ? ~0 : 0.
template <class Op, class T>
void set_value(const Step& step, Warp& warp, LaneMask active) {
  const LaneMask whole = with_other(step, warp, compared<Op, T>(step, warp, active));
  auto* d = warp.out<std::uint32_t>(step.operand[0]);
  assign_lanes(active, d, [=](unsigned lane) { return (whole & lane_bits[lane]) != 0 ? ~0u : 0u; });
}

/// The three handlers of a comparison.
struct Comparison {
  Handler one, two, value;
};
template <class Op, class T>
Comparison comparison() {
  return {for_processor<&set_predicate<Op, T>>(), for_processor<&set_predicates<Op, T>>(),
          for_processor<&set_value<Op, T>>()};
}

template <class Op>
Comparison equality(Type type) {
  if (type == Type::pred) return {};
  switch (ptx::size_of(type)) {
    case 2:
      return comparison<Op, std::uint16_t>();
    case 4:
      return comparison<Op, std::uint32_t>();
    case 8:
      return comparison<Op, std::uint64_t>();
    default:
      return {};
  }
}
template <class Op>
Comparison order(Type type) {
  switch (type) {
    case Type::u16:
      return comparison<Op, std::uint16_t>();
    case Type::u32:
      return comparison<Op, std::uint32_t>();
    case Type::u64:
      return comparison<Op, std::uint64_t>();
    case Type::s16:
      return comparison<Op, std::int16_t>();
    case Type::s32:
      return comparison<Op, std::int32_t>();
    case Type::s64:
      return comparison<Op, std::int64_t>();
    default:
      return {};
  }
}

/// The spelling of operators: gt and ge are lt and le with swapped operands.
struct OperatorRow {
  std::string_view name;
  Comparison (*find)(Type);
  bool swapped, unsigned_only;
};
constexpr OperatorRow integer_operators[] = {
    {"eq", &equality<Equal>, false, false}, {"ne", &equality<NotEqual>, false, false},
    {"lt", &order<Less>, false, false},     {"le", &order<LessOrEqual>, false, false},
    {"gt", &order<Less>, true, false},      {"ge", &order<LessOrEqual>, true, false},
    {"lo", &order<Less>, false, true},      {"ls", &order<LessOrEqual>, false, true},
    {"hi", &order<Less>, true, true},       {"hs", &order<LessOrEqual>, true, true},
};

bool is_unsigned(Type type) { return type == Type::u16 || type == Type::u32 || type == Type::u64; }

/// The comparison of the instruction, and whether its sources are swapped.
Comparison comparison_of(const Lowering& lowering, Type type, bool& swapped) {
  for (const OperatorRow& row : integer_operators) {
    if (!lowering.instruction().has(row.name)) continue;
    const Comparison found = row.find(type);
    if (found.one == nullptr || (row.unsigned_only && !is_unsigned(type)))
      refuse(lowering, "Mismatch between instruction type and comparison qualifier");
    swapped = row.swapped;
    return found;
  }
  refuse(lowering, "Instruction '" + std::string(lowering.instruction().opcode) + "' needs a comparison operator");
}

struct Sources {
  Slot a, b, other;
};
Sources sources_of(Lowering& lowering, Type type, bool swapped, BoolOp combine) {
  expect_operands(lowering, combine == BoolOp::none ? 3 : 4);
  const std::vector<ptx::Operand>& operands = lowering.instruction().operands;
  Sources sources{lowering.in(operands[1], type), lowering.in(operands[2], type), {}};
  if (swapped) std::swap(sources.a, sources.b);
  if (combine != BoolOp::none) sources.other = lowering.in(operands[3], Type::pred);
  return sources;
}

void lower_setp(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering);
  const BoolOp combine = bool_op_of(instruction);
  bool swapped = false;
  const Comparison handlers = comparison_of(lowering, type, swapped);
  const Sources sources = sources_of(lowering, type, swapped, combine);
  const auto [p, q] = destination_pair(instruction.operands[0]);
  const Slot first = lowering.out(p, Type::pred);
  const Slot second = q != nullptr ? lowering.out(*q, Type::pred) : lowering.scratch(0);
  Step& step = lowering.emit(combine == BoolOp::none && q == nullptr ? handlers.one : handlers.two);
  const Slot slots[] = {first, second, sources.a, sources.b, sources.other};
  std::copy(std::begin(slots), std::end(slots), step.operand);
  step.small[0] = static_cast<std::uint8_t>(combine);
}

void lower_set(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type result = type_of(lowering), type = type_of(lowering, 1);
  const BoolOp combine = bool_op_of(instruction);
  bool swapped = false;
  const Comparison handlers = comparison_of(lowering, type, swapped);
  const Sources sources = sources_of(lowering, type, swapped, combine);
  if (result != Type::u32 && result != Type::s32) refuse_types(lowering);
  const Slot d = lowering.out(instruction.operands[0], result);
  Step& step = lowering.emit(handlers.value);
  const Slot slots[] = {d, {}, sources.a, sources.b, sources.other};
  std::copy(std::begin(slots), std::end(slots), step.operand);
  step.small[0] = static_cast<std::uint8_t>(combine);
}

constexpr InstructionRow comparison_table[] = {{"setp", &lower_setp}, {"set", &lower_set}};

}  // namespace

BoolOp bool_op_of(const ptx::Instruction& instruction) {
  if (instruction.has("and")) return BoolOp::all;
  if (instruction.has("or")) return BoolOp::any;
  if (instruction.has("xor")) return BoolOp::differ;
  return BoolOp::none;
}

std::span<const InstructionRow> comparison_rows() {
  static const std::vector<InstructionRow> all = united({comparison_table, selection_rows()});
  return all;
}

}  // namespace kiln::emulator
