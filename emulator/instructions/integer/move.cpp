// mov: registers, addresses, predicates, and packing and unpacking of vectors.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

struct Pair64 {
  std::uint64_t half[2];
};
struct Same {
  auto operator()(auto a) const { return a; }
};
void move_predicate(const Step& step, Warp& warp, LaneMask active) {
  warp.set_mask(step.operand[0], active, warp.mask(step.operand[1]));
}

Handler move_handler(Type type) {
  if (type == Type::pred) return &move_predicate;
  switch (ptx::size_of(type)) {
    case 1:
      return uniform<Same, 1, std::uint8_t>();
    case 16:
      return uniform<Same, 1, Pair64>();
    default:
      return by_size<Same, 1>(type);
  }
}

/// operand[0] of type `Whole` = operand[1] ... operand[Count] of type `Part`, the first in the lowest bits.
template <class Whole, class Part, std::size_t Count = sizeof(Whole) / sizeof(Part)>
void pack(const Step& step, Warp& warp, LaneMask active) {
  auto* d = warp.out<Whole>(step.operand[0]);
  each_lane(active, [&](unsigned lane) {
    Part parts[Count];
    for (std::size_t i = 0; i < Count; ++i) parts[i] = warp.in<Part>(step.operand[i + 1])[lane];
    std::memcpy(&d[lane], parts, sizeof(Whole));
  });
}
/// operand[1] ... operand[Count] = the parts of operand[0].
template <class Whole, class Part, std::size_t Count = sizeof(Whole) / sizeof(Part)>
void unpack(const Step& step, Warp& warp, LaneMask active) {
  const auto* a = warp.in<Whole>(step.operand[0]);
  each_lane(active, [&](unsigned lane) {
    Part parts[Count];
    std::memcpy(parts, &a[lane], sizeof(Whole));
    for (std::size_t i = 0; i < Count; ++i) warp.out<Part>(step.operand[i + 1])[lane] = parts[i];
  });
}

struct VectorRow {
  std::size_t whole, count;
  Type part;
  Handler pack, unpack;
};
template <class Whole, class Part>
constexpr VectorRow vector_row(Type part) {
  return {sizeof(Whole), sizeof(Whole) / sizeof(Part), part, &pack<Whole, Part>, &unpack<Whole, Part>};
}
constexpr VectorRow vector_rows[] = {
    vector_row<std::uint16_t, std::uint8_t>(Type::b8),   vector_row<std::uint32_t, std::uint8_t>(Type::b8),
    vector_row<std::uint32_t, std::uint16_t>(Type::b16), vector_row<std::uint64_t, std::uint16_t>(Type::b16),
    vector_row<std::uint64_t, std::uint32_t>(Type::b32), vector_row<Pair64, std::uint32_t>(Type::b32),
    vector_row<Pair64, std::uint64_t>(Type::b64),
};

void lower_vector(Lowering& lowering, Type type, const Operand& vector, const Operand& whole, bool packs) {
  for (const VectorRow& row : vector_rows) {
    if (row.whole != ptx::size_of(type) || row.count != vector.elements.size()) continue;
    std::vector<Slot> slots{packs ? lowering.out(whole, type) : lowering.in(whole, type)};
    for (const Operand& element : vector.elements)
      slots.push_back(packs ? lowering.in(element, row.part) : lowering.out(element, row.part));
    Step& step = lowering.emit(packs ? row.pack : row.unpack);
    std::copy(slots.begin(), slots.end(), step.operand);
    return;
  }
  refuse_types(lowering);
}

/// mov.v2.u32 {a, b}, {c, d}: reads all elements before it writes any.
void lower_elements(Lowering& lowering, Type type, const Operand& to, const Operand& from) {
  const std::size_t count = to.elements.size();
  if (from.elements.size() != count || count > 4) refuse_types(lowering);
  const Handler handler = move_handler(type);
  if (handler == nullptr || type == Type::pred) refuse_types(lowering);
  std::vector<Slot> between;
  const auto move = [&](Slot d, Slot a) {
    Step& step = lowering.emit(handler);
    step.operand[0] = d;
    step.operand[1] = a;
  };
  for (const Operand& element : from.elements) {
    const Slot a = lowering.in(element, type);
    between.push_back(lowering.scratch(static_cast<unsigned>(ptx::size_of(type))));
    move(between.back(), a);
  }
  for (std::size_t i = 0; i < count; ++i) move(lowering.out(to.elements[i], type), between[i]);
}

void lower_mov(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  const Type type = type_of(lowering);
  const Operand &to = instruction.operands[0], &from = instruction.operands[1];
  const bool packs = from.kind == Operand::Kind::vector, unpacks = to.kind == Operand::Kind::vector;
  if (unpacks && (instruction.has("v2") || instruction.has("v4")) && !packs)
    throw Unsupported{"mov of one value to the elements of a vector"};
  if (packs && unpacks) return lower_elements(lowering, type, to, from);
  if (packs) return lower_vector(lowering, type, from, to, true);
  if (unpacks) return lower_vector(lowering, type, to, from, false);
  emit_lanewise(lowering, move_handler(type), type, {type});
}

constexpr InstructionRow move_table[] = {{"mov", &lower_mov}};

}  // namespace

std::span<const InstructionRow> move_rows() {
  static const std::vector<InstructionRow> all = united({move_table, permute_rows()});
  return all;
}

}  // namespace kiln::emulator
