// set and setp on floating-point types, and set with a floating-point result.
#include "emulator/instructions/comparison_parts.hpp"
#include "emulator/instructions/floating/float_handlers.hpp"
#include "emulator/instructions/floating/floating.hpp"

#include <array>
#include <type_traits>

namespace kiln::emulator {
namespace {

// The relations between two values, one bit each. An operator is the set of relations for which it holds.
constexpr std::uint8_t less = 1, equal = 2, greater = 4, unordered = 8;
constexpr std::pair<std::string_view, std::uint8_t> float_operators[] = {
    {"eq", equal},
    {"ne", less | greater},
    {"lt", less},
    {"le", less | equal},
    {"gt", greater},
    {"ge", greater | equal},
    {"lo", less},
    {"ls", less | equal},
    {"hi", greater},
    {"hs", greater | equal},
    {"equ", equal | unordered},
    {"neu", less | greater | unordered},
    {"ltu", less | unordered},
    {"leu", less | equal | unordered},
    {"gtu", greater | unordered},
    {"geu", greater | equal | unordered},
    {"num", less | equal | greater},
    {"nan", unordered},
};

/// Stored in Step::small, so its members are single bytes.
struct FloatComparison {
  std::uint8_t relations = 0;
  BoolOp combination = BoolOp::none;
  bool ftz = false;
  std::uint8_t elements = 1;
  bool two_results = false;
};

/// Conversion of a value for comparison. T is a format or an integer type.
template <class T>
auto comparable(const Slot slot, const Warp& warp, unsigned index, bool ftz) {
  if constexpr (std::is_integral_v<T>) {
    return warp.in<T>(slot)[index];
  } else {
    const auto bits = warp.in<typename T::Bits>(slot)[index];
    return widened<T>(ftz ? flushed<T>(bits) : bits);
  }
}

/// The lanes for whose element `part` the operator holds. Sources are operands 2 and 3.
template <class T>
LaneMask compare(const Step& step, const Warp& warp, LaneMask active, const FloatComparison& how, unsigned part) {
  return lanes_where(active, [&](unsigned lane) {
    const unsigned index = lane * how.elements + part;
    const auto a = comparable<T>(step.operand[2], warp, index, how.ftz);
    const auto b = comparable<T>(step.operand[3], warp, index, how.ftz);
    const unsigned relation = a < b ? less : a == b ? equal : a > b ? greater : unordered;
    return (relation & how.relations) != 0;
  });
}

template <class T>
void setp(const Step& step, Warp& warp, LaneMask active) {
  const auto how = std::bit_cast<FloatComparison>(step.small);
  const LaneMask other = how.combination == BoolOp::none ? 0 : warp.mask(step.operand[4]);
  const LaneMask first = compare<T>(step, warp, active, how, 0);
  const LaneMask second = how.elements == 2 ? compare<T>(step, warp, active, how, 1) : ~first;
  warp.set_mask(step.operand[0], active, combined(how.combination, first, other));
  if (how.two_results) warp.set_mask(step.operand[1], active, combined(how.combination, second, other));
}

/// Result is as wide as an element of the destination; Step::value is its value for true.
template <class T, class Result>
void set(const Step& step, Warp& warp, LaneMask active) {
  const auto how = std::bit_cast<FloatComparison>(step.small);
  const LaneMask other = how.combination == BoolOp::none ? 0 : warp.mask(step.operand[4]);
  LaneMask holds[2] = {};
  for (unsigned part = 0; part < how.elements; ++part)
    holds[part] = combined(how.combination, compare<T>(step, warp, active, how, part), other);
  Result* result = warp.out<Result>(step.operand[0]);
  const auto yes = static_cast<Result>(step.value);
  each_lane(active, [&](unsigned lane) {
    for (unsigned part = 0; part < how.elements; ++part)
      result[lane * how.elements + part] = ((holds[part] >> lane) & 1u) != 0 ? yes : Result{0};
  });
}

struct ComparedType {
  std::string_view type;
  Handler setp, set16, set32;
};
template <class T>
constexpr ComparedType source(std::string_view type) {
  return {type, setp<T>, set<T, std::uint16_t>, set<T, std::uint32_t>};
}
constexpr ComparedType sources[] = {
    source<F16>("f16"),           source<F16>("f16x2"),         source<Bf16>("bf16"),
    source<Bf16>("bf16x2"),       source<F32>("f32"),           source<F64>("f64"),
    source<std::uint16_t>("u16"), source<std::uint16_t>("b16"), source<std::int16_t>("s16"),
    source<std::uint32_t>("u32"), source<std::uint32_t>("b32"), source<std::int32_t>("s32"),
    source<std::uint64_t>("u64"), source<std::uint64_t>("b64"), source<std::int64_t>("s64"),
};
const ComparedType* source_named(std::string_view type) {
  for (const ComparedType& each : sources)
    if (each.type == type) return &each;
  return nullptr;
}

bool is_packed(std::string_view type) { return type == "f16x2" || type == "bf16x2"; }

ptx::Type operand_type(std::string_view spelling) {
  FloatType type;
  return read_float_type(spelling, type) ? register_type(type) : ptx::type_named(spelling);
}

/// Reads the modifiers. Adds the types to `types` in order.
FloatComparison float_comparison_of(const ptx::Instruction& instruction, std::vector<std::string_view>& types) {
  FloatComparison how;
  how.combination = bool_op_of(instruction);
  for (const std::string_view modifier : instruction.modifiers) {
    if (modifier == "ftz") {
      how.ftz = true;
    } else if (source_named(modifier) != nullptr) {
      types.push_back(modifier);
    } else {
      for (const auto& [name, relations] : float_operators)
        if (name == modifier) how.relations = relations;
      const bool known = how.relations != 0 || modifier == "and" || modifier == "or" || modifier == "xor";
      if (!known) throw_unsupported(instruction, "with ." + std::string(modifier));
    }
  }
  if (types.empty() || how.relations == 0) throw_unsupported(instruction, "of this form");
  how.elements = is_packed(types.back()) ? 2 : 1;
  return how;
}

/// The sources, which begin at operand 1 of the instruction.
void lower_sources(const ptx::Instruction& instruction, Lowering& lowering, const FloatComparison& how,
                   std::string_view type, Slot (&slots)[5]) {
  const bool combines = how.combination != BoolOp::none;
  if (instruction.operands.size() != (combines ? 4u : 3u))
    lowering.refuse("Arguments mismatch for instruction '" + std::string(instruction.opcode) + "'");
  slots[2] = lowering.in(instruction.operands[1], operand_type(type));
  slots[3] = lowering.in(instruction.operands[2], operand_type(type));
  if (combines) slots[4] = lowering.in(instruction.operands[3], ptx::Type::pred);
}

void emit_comparison(Lowering& lowering, Handler handler, const Slot (&slots)[5], const FloatComparison& how,
                     std::uint64_t yes) {
  Step& step = lowering.emit(handler);
  std::copy(std::begin(slots), std::end(slots), step.operand);
  set_small(step, how);
  step.value = static_cast<std::int64_t>(yes);
}

std::uint64_t true_of(std::string_view type) {
  if (type == "f32") return F32::one;
  if (type.starts_with("f16")) return F16::one;
  return type.starts_with("bf16") ? Bf16::one : ~std::uint64_t{0};
}

}  // namespace

void lower_float_setp(const ptx::Instruction& instruction, Lowering& lowering) {
  std::vector<std::string_view> types;
  FloatComparison how = float_comparison_of(instruction, types);
  Slot slots[5];
  lower_sources(instruction, lowering, how, types.back(), slots);
  const ptx::Operand& results = instruction.operands[0];
  how.two_results = results.kind == ptx::Operand::Kind::pair;
  slots[0] = lowering.out(how.two_results ? results.elements.at(0) : results, ptx::Type::pred);
  if (how.two_results) slots[1] = lowering.out(results.elements.at(1), ptx::Type::pred);
  emit_comparison(lowering, source_named(types.back())->setp, slots, how, 0);
}

void lower_float_set(const ptx::Instruction& instruction, Lowering& lowering) {
  std::vector<std::string_view> types;
  const FloatComparison how = float_comparison_of(instruction, types);
  if (types.size() != 2) lowering.refuse("Unexpected instruction types specified for 'set'");
  Slot slots[5];
  lower_sources(instruction, lowering, how, types[1], slots);
  const ptx::Type result = operand_type(types[0]);
  slots[0] = lowering.out(instruction.operands[0], result);
  const ComparedType& source = *source_named(types[1]);
  const bool narrow = how.elements == 2 || ptx::size_of(result) == 2;
  emit_comparison(lowering, narrow ? source.set16 : source.set32, slots, how, true_of(types[0]));
}

}  // namespace kiln::emulator
