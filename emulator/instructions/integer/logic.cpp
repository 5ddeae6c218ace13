// Bitwise operations on registers and predicates: and, or, xor, not, cnot, lop3.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Type;

struct And {
  auto operator()(auto a, auto b) const { return a & b; }
};
struct Or {
  auto operator()(auto a, auto b) const { return a | b; }
};
struct Xor {
  auto operator()(auto a, auto b) const { return a ^ b; }
};
struct Not {
  auto operator()(auto a) const { return ~a; }
};
struct IsZero {
  auto operator()(auto a) const { return a == 0 ? 1 : 0; }
};

/// Predicates: all lanes at once.
template <class Op>
void of_predicates(const Step& step, Warp& warp, LaneMask active) {
  warp.set_mask(step.operand[0], active, Op{}(warp.mask(step.operand[1]), warp.mask(step.operand[2])));
}
void not_of_predicate(const Step& step, Warp& warp, LaneMask active) {
  warp.set_mask(step.operand[0], active, ~warp.mask(step.operand[1]));
}

template <class Op>
void lower_two(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, type == Type::pred ? &of_predicates<Op> : by_size<Op, 2>(type), type, {type, type});
}
void lower_not(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, type == Type::pred ? &not_of_predicate : by_size<Not, 1>(type), type, {type});
}
void lower_cnot(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, by_size<IsZero, 1>(type), type, {type});
}

/// A function of three bits, given as a table of 8 results indexed by abc. Applied to all bits of a word at once.
class ThreeInputs {
 public:
  explicit ThreeInputs(std::uint32_t table) {
    for (unsigned entry = 0; entry < 8; ++entry) entry_[entry] = ((table >> entry) & 1u) != 0 ? ~0u : 0u;
  }
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const std::uint32_t with_a = chosen(b, chosen(c, entry_[7], entry_[6]), chosen(c, entry_[5], entry_[4]));
    const std::uint32_t without = chosen(b, chosen(c, entry_[3], entry_[2]), chosen(c, entry_[1], entry_[0]));
    return chosen(a, with_a, without);
  }

 private:
  static std::uint32_t chosen(std::uint32_t by, std::uint32_t where_set, std::uint32_t elsewhere) {
    return (by & where_set) | (~by & elsewhere);
  }
  std::uint32_t entry_[8];
};

void lop3(const Step& step, Warp& warp, LaneMask active) {
  auto* d = warp.out<std::uint32_t>(step.operand[0]);
  const auto *a = warp.in<std::uint32_t>(step.operand[1]), *b = warp.in<std::uint32_t>(step.operand[2]),
             *c = warp.in<std::uint32_t>(step.operand[3]);
  const ThreeInputs function(static_cast<std::uint32_t>(step.value));
  assign_lanes(active, d, [=](unsigned lane) { return function(a[lane], b[lane], c[lane]); });
}

/// operand[4] = (d != 0) BoolOp operand[5]; small[0]: the BoolOp is and.
void lop3_with_predicate(const Step& step, Warp& warp, LaneMask active) {
  lop3(step, warp, active);
  const auto* d = warp.in<std::uint32_t>(step.operand[0]);
  const LaneMask some = lanes_where_apart(active, [=](unsigned lane) { return d[lane] != 0; });
  const LaneMask other = warp.mask(step.operand[5]);
  warp.set_mask(step.operand[4], active, step.small[0] != 0 ? some & other : some | other);
}

void lower_lop3(const ptx::Instruction& instruction, Lowering& lowering) {
  const bool all = instruction.has("and"), any = instruction.has("or");
  expect_operands(lowering, all || any ? 6 : 5);
  const std::vector<ptx::Operand>& operands = instruction.operands;
  const ptx::Operand& table = operands[4];
  if (table.kind != ptx::Operand::Kind::immediate) refuse(lowering, "The table of lop3 must be a number");
  const auto [d, p] = destination_pair(operands[0]);
  if ((p != nullptr) != (all || any)) refuse(lowering, "lop3 has a predicate as second result with .and or .or only");

  const Slot a = lowering.in(operands[1], Type::b32), b = lowering.in(operands[2], Type::b32),
             c = lowering.in(operands[3], Type::b32);
  const Slot other = p != nullptr ? lowering.in(operands[5], Type::pred) : Slot{};
  const Slot result = lowering.out(d, Type::b32);
  const Slot predicate = p != nullptr ? lowering.out(*p, Type::pred) : Slot{};
  Step& step = lowering.emit(p != nullptr ? for_processor<&lop3_with_predicate>() : for_processor<&lop3>());
  const Slot slots[] = {result, a, b, c, predicate, other};
  std::copy(std::begin(slots), std::end(slots), step.operand);
  step.value = static_cast<std::int64_t>(table.bits & 0xFFu);
  step.small[0] = all ? 1 : 0;
}

constexpr InstructionRow logic_table[] = {
    {"and", &lower_two<And>}, {"or", &lower_two<Or>}, {"xor", &lower_two<Xor>},
    {"not", &lower_not},      {"cnot", &lower_cnot},  {"lop3", &lower_lop3},
};

}  // namespace

std::span<const InstructionRow> logic_rows() {
  static const std::vector<InstructionRow> all = united({logic_table, shift_rows()});
  return all;
}

}  // namespace kiln::emulator
