// shfl: each lane reads a value of another lane.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"
#include "emulator/machine/wide_vectors.hpp"

#include <cstdint>

namespace kiln::emulator {
namespace {

using ptx::Type;

enum class ShuffleMode : std::uint8_t { up, down, butterfly, index };

struct ShuffleSource {
  int lane;
  bool in_range;  // false: the lane keeps its own value
};
/// `b` is a distance, a mask or a lane; `c` has the clamp and, above it, the segment mask.
ShuffleSource shuffle_source(ShuffleMode mode, unsigned own, std::uint32_t b, std::uint32_t c) {
  const int lane = static_cast<int>(own), by = static_cast<int>(b & 31u), clamp = static_cast<int>(c & 31u);
  const int segment = static_cast<int>((c >> 8) & 31u);
  const int first = lane & segment, last = first | (clamp & ~segment);
  switch (mode) {
    case ShuffleMode::up:
      return {lane - by, lane - by >= last};
    case ShuffleMode::down:
      return {lane + by, lane + by <= last};
    case ShuffleMode::butterfly:
      return {lane ^ by, (lane ^ by) <= last};
    default:
      return {first | (by & ~segment), (first | (by & ~segment)) <= last};
  }
}

/// As shuffle, for lanes that are in one frame.
template <ShuffleMode mode>
void shuffle_in_frame(const Step& step, Warp& warp, LaneMask active) {
  const auto *a = warp.in<std::uint32_t>(step.operand[2]), *b = warp.in<std::uint32_t>(step.operand[3]),
             *c = warp.in<std::uint32_t>(step.operand[4]);
  std::uint32_t from[warp_size], taken[warp_size];
  LaneMask in_range = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const ShuffleSource source = shuffle_source(mode, lane, b[lane], c[lane]);
    from[lane] = source.in_range ? static_cast<unsigned>(source.lane) : lane;
    in_range |= source.in_range ? lane_bits[lane] : 0u;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) taken[lane] = a[from[lane] % warp_size];
  if (active != all_lanes)
    each_lane(active, [&](unsigned lane) {
      if (((active >> from[lane]) & 1u) == 0) taken[lane] = a[lane];
    });
  const std::uint32_t* const values = taken;
  assign_lanes(active, warp.out<std::uint32_t>(step.operand[0]), [=](unsigned lane) { return values[lane]; });
  warp.set_mask(step.operand[1], active, in_range);
}

/// As shuffle, for lanes in different frames.
void shuffle_apart(ShuffleMode mode, const Step& step, Warp& warp, LaneMask active) {
  std::uint32_t values[warp_size] = {}, taken[warp_size] = {};
  LaneMask in_range = 0;
  each_lane(active, [&](unsigned lane) { values[lane] = warp.value<std::uint32_t>(step.operand[2], lane); });
  each_lane(active, [&](unsigned lane) {
    const ShuffleSource source = shuffle_source(mode, lane, warp.value<std::uint32_t>(step.operand[3], lane),
                                                warp.value<std::uint32_t>(step.operand[4], lane));
    const unsigned from = source.in_range ? static_cast<unsigned>(source.lane) : lane;
    // The value of an absent lane is undefined; here it is the lane's own.
    taken[lane] = ((active >> from) & 1u) != 0 ? values[from] : values[lane];
    in_range |= static_cast<LaneMask>(source.in_range) << lane;
  });
  each_lane(active, [&](unsigned lane) {
    warp.set_value(step.operand[0], lane, taken[lane]);
    warp.set_predicate(step.operand[1], lane, ((in_range >> lane) & 1u) != 0);
  });
}

/// operand[0] | operand[1] = operand[2] of another lane, selected by operand[3] and operand[4].
template <ShuffleMode mode>
void shuffle(const Step& step, Warp& warp, LaneMask active) {
  if (warp.is_in_one_frame()) return shuffle_in_frame<mode>(step, warp, active);
  shuffle_apart(mode, step, warp, active);
}

Handler shuffle_handler(ShuffleMode mode) {
  switch (mode) {
    case ShuffleMode::up:
      return for_processor<&shuffle<ShuffleMode::up>>();
    case ShuffleMode::down:
      return for_processor<&shuffle<ShuffleMode::down>>();
    case ShuffleMode::butterfly:
      return for_processor<&shuffle<ShuffleMode::butterfly>>();
    default:
      return for_processor<&shuffle<ShuffleMode::index>>();
  }
}

void lower_shfl(const ptx::Instruction& instruction, Lowering& lowering) {
  const ptx::Operand* members = members_of(lowering);
  expect_operands(lowering, members != nullptr ? 5 : 4);
  const auto [d, p] = destination_pair(instruction.operands[0]);
  ShuffleMode mode = ShuffleMode::index;
  if (instruction.has("up"))
    mode = ShuffleMode::up;
  else if (instruction.has("down"))
    mode = ShuffleMode::down;
  else if (instruction.has("bfly"))
    mode = ShuffleMode::butterfly;
  else if (!instruction.has("idx"))
    refuse_types(lowering);
  const Type type = type_of(lowering);
  if (ptx::size_of(type) != 4) refuse_types(lowering);
  const Slot a = lowering.in(instruction.operands[1], type), b = lowering.in(instruction.operands[2], Type::b32),
             c = lowering.in(instruction.operands[3], Type::b32);
  const Slot result = lowering.out(d, type),
             in_range = p != nullptr ? lowering.out(*p, Type::pred) : lowering.scratch(0);
  emit_together(lowering, shuffle_handler(mode), {result, in_range, a, b, c}, members);
}

constexpr InstructionRow shuffle_table[] = {{"shfl", &lower_shfl}};

}  // namespace

std::span<const InstructionRow> shuffle_rows() { return shuffle_table; }

}  // namespace kiln::emulator
