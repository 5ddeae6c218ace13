// Instructions that lanes of a warp execute together: vote, match, redux, elect, activemask, bar.warp.sync.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/lanewise.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"
#include "emulator/machine/wide_vectors.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

LaneMask lanes_with(const Step& step, const Warp& warp, LaneMask active, std::size_t predicate) {
  if (warp.is_in_one_frame()) return warp.mask(step.operand[predicate]) & active;
  return lanes_where(active, [&](unsigned lane) { return warp.predicate(step.operand[predicate], lane); });
}

/// operand[0] = the same value in all lanes, which are in one frame.
template <class T>
void set_same(const Step& step, Warp& warp, LaneMask active, T value) {
  assign_lanes(active, warp.out<T>(step.operand[0]), [=](unsigned) { return value; });
}

// vote: operand[0] = ... of operand[1].
struct All {
  bool operator()(LaneMask set, LaneMask active) const { return set == active; }
};
struct Any {
  bool operator()(LaneMask set, LaneMask) const { return set != 0; }
};
struct Uniform {
  bool operator()(LaneMask set, LaneMask active) const { return set == 0 || set == active; }
};
template <class Op>
void vote(const Step& step, Warp& warp, LaneMask active) {
  const bool result = Op{}(lanes_with(step, warp, active, 1), active);
  if (warp.is_in_one_frame()) return warp.set_mask(step.operand[0], active, result ? all_lanes : 0);
  each_lane(active, [&](unsigned lane) { warp.set_predicate(step.operand[0], lane, result); });
}
void ballot(const Step& step, Warp& warp, LaneMask active) {
  const LaneMask set = lanes_with(step, warp, active, 1);
  if (warp.is_in_one_frame()) return set_same(step, warp, active, set);
  each_lane(active, [&](unsigned lane) { warp.set_value(step.operand[0], lane, set); });
}

void lower_vote(const ptx::Instruction& instruction, Lowering& lowering) {
  const Operand* members = members_of(lowering);
  expect_operands(lowering, members != nullptr ? 3 : 2);
  const bool is_ballot = instruction.has("ballot");
  Handler handler = nullptr;
  if (is_ballot)
    handler = for_processor<&ballot>();
  else if (instruction.has("all"))
    handler = &vote<All>;
  else if (instruction.has("any"))
    handler = &vote<Any>;
  else if (instruction.has("uni"))
    handler = &vote<Uniform>;
  else
    refuse_types(lowering);
  const Slot a = lowering.in(instruction.operands[1], Type::pred);
  emit_together(lowering, handler, {lowering.out(instruction.operands[0], is_ballot ? Type::b32 : Type::pred), a},
                members);
}

/// Each value that occurs is looked for once.
template <class T>
void match_any_in_frame(const Step& step, Warp& warp, LaneMask active) {
  const T* const a = warp.in<T>(step.operand[1]);
  LaneMask same[warp_size] = {};
  for (LaneMask left = active; left != 0;) {
    const T value = a[first_lane(left)];
    const LaneMask equal = lanes_where_apart(left, [=](unsigned lane) { return a[lane] == value; });
    each_lane(equal, [&](unsigned lane) { same[lane] = equal; });
    left &= ~equal;
  }
  const LaneMask* const found = same;
  assign_lanes(active, warp.out<LaneMask>(step.operand[0]), [=](unsigned lane) { return found[lane]; });
}

/// operand[0] = the lanes with the same operand[1].
template <class T>
void match_any(const Step& step, Warp& warp, LaneMask active) {
  if (warp.is_in_one_frame()) return match_any_in_frame<T>(step, warp, active);
  LaneMask same[warp_size] = {};
  each_lane(active, [&](unsigned lane) {
    const T own = warp.value<T>(step.operand[1], lane);
    same[lane] = lanes_where(active, [&](unsigned other) { return warp.value<T>(step.operand[1], other) == own; });
  });
  each_lane(active, [&](unsigned lane) { warp.set_value(step.operand[0], lane, same[lane]); });
}
/// operand[0] = all lanes and operand[2] = true if operand[1] is the same in all of them; otherwise 0 and false.
template <class T>
void match_all(const Step& step, Warp& warp, LaneMask active) {
  const T first = warp.value<T>(step.operand[1], first_lane(active));
  const bool all =
      lanes_where(active, [&](unsigned lane) { return warp.value<T>(step.operand[1], lane) == first; }) == active;
  each_lane(active, [&](unsigned lane) {
    warp.set_value(step.operand[0], lane, all ? active : 0u);
    warp.set_predicate(step.operand[2], lane, all);
  });
}

void lower_match(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 3);
  const Type type = type_of(lowering);
  const bool wide = type == Type::b64, all = instruction.has("all");
  if ((!wide && type != Type::b32) || all == instruction.has("any")) refuse_types(lowering);
  const auto [d, p] = destination_pair(instruction.operands[0]);
  if (p != nullptr && !all) refuse(lowering, "match.any has no predicate as second result");
  const Slot a = lowering.in(instruction.operands[1], type), result = lowering.out(d, Type::b32);
  const Slot whether = p != nullptr ? lowering.out(*p, Type::pred) : lowering.scratch(0);
  const Handler handler = all    ? wide ? &match_all<std::uint64_t> : &match_all<std::uint32_t>
                             : wide ? for_processor<&match_any<std::uint64_t>>()
                                 : for_processor<&match_any<std::uint32_t>>();
  emit_together(lowering, handler, {result, a, whether}, &instruction.operands[2]);
}

struct WarpSum {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a + b; }
};
struct Smallest {
  auto operator()(auto a, auto b) const { return std::min(a, b); }
};
struct Greatest {
  auto operator()(auto a, auto b) const { return std::max(a, b); }
};
struct Both {
  auto operator()(auto a, auto b) const { return a & b; }
};
struct Either {
  auto operator()(auto a, auto b) const { return a | b; }
};
struct Odd {
  auto operator()(auto a, auto b) const { return a ^ b; }
};
/// operand[0] = the reduction of operand[1] over all lanes.
template <class Op, class T>
void reduce_warp(const Step& step, Warp& warp, LaneMask active) {
  T whole = warp.value<T>(step.operand[1], first_lane(active));
  each_lane(active & (active - 1), [&](unsigned lane) { whole = Op{}(whole, warp.value<T>(step.operand[1], lane)); });
  each_lane(active, [&](unsigned lane) { warp.set_value(step.operand[0], lane, whole); });
}

struct ReduceRow {
  std::string_view name;
  Type type;
  Handler handler;
};
constexpr ReduceRow reductions[] = {
    {"add", Type::u32, &reduce_warp<WarpSum, std::uint32_t>},  {"add", Type::s32, &reduce_warp<WarpSum, std::uint32_t>},
    {"min", Type::u32, &reduce_warp<Smallest, std::uint32_t>}, {"min", Type::s32, &reduce_warp<Smallest, std::int32_t>},
    {"max", Type::u32, &reduce_warp<Greatest, std::uint32_t>}, {"max", Type::s32, &reduce_warp<Greatest, std::int32_t>},
    {"and", Type::b32, &reduce_warp<Both, std::uint32_t>},     {"or", Type::b32, &reduce_warp<Either, std::uint32_t>},
    {"xor", Type::b32, &reduce_warp<Odd, std::uint32_t>},
};

void lower_redux(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 3);
  const Type type = type_of(lowering);
  if (type == Type::f32) throw Unsupported{"redux of f32"};
  for (const ReduceRow& row : reductions) {
    if (row.type != type || !instruction.has(row.name)) continue;
    const Slot a = lowering.in(instruction.operands[1], type);
    emit_together(lowering, row.handler, {lowering.out(instruction.operands[0], type), a}, &instruction.operands[2]);
    return;
  }
  refuse_types(lowering);
}

/// operand[0] = the elected lane, operand[1] = whether it is this lane.
void elect(const Step& step, Warp& warp, LaneMask active) {
  const unsigned leader = first_lane(active);
  each_lane(active, [&](unsigned lane) {
    warp.set_value(step.operand[0], lane, leader);
    warp.set_predicate(step.operand[1], lane, lane == leader);
  });
}
void lower_elect(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  const auto [d, p] = destination_pair(instruction.operands[0]);
  if (p == nullptr) refuse(lowering, "elect needs a predicate as second result");
  emit_together(lowering, &elect, {lowering.out(d, Type::b32), lowering.out(*p, Type::pred)}, &instruction.operands[1]);
}

void active_mask(const Step& step, Warp& warp, LaneMask active) {
  auto* d = warp.out<LaneMask>(step.operand[0]);
  assign_lanes(active, d, [=](unsigned) { return active; });
}
void lower_activemask(const ptx::Instruction&, Lowering& lowering) {
  emit_lanewise(lowering, &active_mask, Type::b32, {});
}

constexpr InstructionRow warp_wide_table[] = {
    {"vote", &lower_vote},   {"match", &lower_match},           {"redux", &lower_redux},
    {"elect", &lower_elect}, {"activemask", &lower_activemask},
};

}  // namespace

Step& emit_together(Lowering& lowering, Handler handler, std::initializer_list<Slot> slots, const Operand* members) {
  constexpr std::uint8_t mask_place = std::size(Step{}.operand) - 1;
  const Slot mask = members != nullptr ? lowering.in(*members, Type::b32) : Slot{};
  Step& step = lowering.emit(handler, members != nullptr ? StepKind::sync : StepKind::plain);
  std::copy(slots.begin(), slots.end(), step.operand);
  step.operand[mask_place] = mask;
  step.sync_mask = mask_place;
  return step;
}

Step& emit_by_all(Lowering& lowering, Handler handler, std::initializer_list<Slot> slots) {
  Operand everyone;
  everyone.kind = Operand::Kind::immediate;
  everyone.type = Type::u64;
  everyone.bits = all_lanes;
  return emit_together(lowering, handler, slots, &everyone);
}

const Operand* members_of(const Lowering& lowering) {
  const ptx::Instruction& instruction = lowering.instruction();
  const ptx::Module& module = lowering.image().module();
  const bool has_volta_rules =
      module.sm >= 70 && std::pair(module.version_major, module.version_minor) >= std::pair(6u, 4u);
  if (!instruction.has("sync") && has_volta_rules)
    refuse(lowering, "Instruction '" + std::string(instruction.opcode) +
                         "' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version 6.4");
  return instruction.has("sync") && !instruction.operands.empty() ? &instruction.operands.back() : nullptr;
}

void lower_warp_barrier(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 1);
  // Synchronising the lanes is its only effect.
  emit_together(
      lowering, [](const Step&, Warp&, LaneMask) {}, {}, &instruction.operands[0]);
}

std::span<const InstructionRow> warp_rows() {
  static const std::vector<InstructionRow> all = united({warp_wide_table, shuffle_rows()});
  return all;
}

}  // namespace kiln::emulator
