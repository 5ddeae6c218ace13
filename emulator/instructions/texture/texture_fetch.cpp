// tex and tld4.
#include "emulator/instructions/texture/texture_lookup.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/numbers/half.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

enum class LevelBy : std::uint8_t { base, level, gradients };

/// The parameters of a step of tex or tld4.
struct FetchPlan {
  Geometry geometry;
  LookupSlots lookup;
  LevelBy level_by = LevelBy::base;
  Slot level;
  std::array<Slot, 3> dx, dy;
  bool has_offsets = false;
  std::array<Slot, 3> offset;
  unsigned channel = 0;  // for tld4
  std::array<Slot, 4> result;
  bool has_residency = false;
  Slot residency;
};

std::array<float, 3> floats(const Warp& warp, const std::array<Slot, 3>& slots, unsigned count, unsigned lane) {
  std::array<float, 3> values = {};
  for (unsigned i = 0; i < count; ++i) values[i] = warp.in<float>(slots[i])[lane];
  return values;
}

std::array<std::int32_t, 3> integers(const Warp& warp, const std::array<Slot, 3>& slots, unsigned count,
                                     unsigned lane) {
  std::array<std::int32_t, 3> values = {};
  for (unsigned i = 0; i < count; ++i) values[i] = warp.in<std::int32_t>(slots[i])[lane];
  return values;
}

Place fetch_place(const FetchPlan& plan, const Warp& warp, unsigned lane) {
  Place place;
  place.at = floats(warp, plan.lookup.at, plan.geometry.dimensions, lane);
  if (plan.geometry.layered) place.layer = warp.in<std::uint32_t>(plan.lookup.layer)[lane];
  if (plan.has_offsets) place.offset = integers(warp, plan.offset, plan.geometry.axes(), lane);
  return place;
}

/// Fetches a texel: with float or integer coordinates, or the four of tld4.
struct ByFloats {
  static Texel get(const FetchPlan& plan, const Warp& warp, const Texture& texture, unsigned lane) {
    const Place place = fetch_place(plan, warp, lane);
    if (plan.level_by == LevelBy::base) return sample_base(texture, plan.geometry, place);
    if (plan.level_by == LevelBy::level) return sample(texture, plan.geometry, place, warp.in<float>(plan.level)[lane]);
    const std::array<float, 3> dx = floats(warp, plan.dx, plan.geometry.dimensions, lane);
    const std::array<float, 3> dy = floats(warp, plan.dy, plan.geometry.dimensions, lane);
    return sample(texture, plan.geometry, place, level_of_gradients(texture, plan.geometry, place, dx, dy));
  }
};

struct ByIntegers {
  static Texel get(const FetchPlan& plan, const Warp& warp, const Texture& texture, unsigned lane) {
    std::array<std::int64_t, 3> at = {};
    const std::array<std::int32_t, 3> given = integers(warp, plan.lookup.at, plan.geometry.dimensions, lane);
    std::array<std::int32_t, 3> offset = {};
    if (plan.has_offsets) offset = integers(warp, plan.offset, plan.geometry.axes(), lane);
    for (std::size_t i = 0; i < 3; ++i) at[i] = std::int64_t{given[i]} + offset[i];
    const std::uint32_t layer = plan.geometry.layered ? warp.in<std::uint32_t>(plan.lookup.layer)[lane] : 0;
    const std::int32_t level = plan.level_by == LevelBy::level ? warp.in<std::int32_t>(plan.level)[lane] : 0;
    return fetch(texture, plan.geometry, at, layer, level);
  }
};

struct Gathered {
  static Texel get(const FetchPlan& plan, const Warp& warp, const Texture& texture, unsigned lane) {
    return gather(texture, plan.geometry, fetch_place(plan, warp, lane), plan.channel);
  }
};

std::uint16_t half_bits(std::uint32_t texel_bits, const Texture& texture) {
  if (texture.element.integer()) return static_cast<std::uint16_t>(texel_bits);
  return half_of_float(std::bit_cast<float>(texel_bits));
}

/// Writes the result to registers: four of 32 bits, four of f16, two of f16x2.
struct Words {
  static void put(const FetchPlan& plan, Warp& warp, const Texture&, const Texel& texel, unsigned lane) {
    for (std::size_t i = 0; i < 4; ++i) warp.out<std::uint32_t>(plan.result[i])[lane] = texel[i];
  }
};

struct HalfTexel {
  static void put(const FetchPlan& plan, Warp& warp, const Texture& texture, const Texel& texel, unsigned lane) {
    for (std::size_t i = 0; i < 4; ++i) warp.out<std::uint16_t>(plan.result[i])[lane] = half_bits(texel[i], texture);
  }
};

struct PackedHalves {
  static void put(const FetchPlan& plan, Warp& warp, const Texture& texture, const Texel& texel, unsigned lane) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint32_t low = half_bits(texel[2 * i], texture), high = half_bits(texel[2 * i + 1], texture);
      warp.out<std::uint32_t>(plan.result[i])[lane] = low | high << 16;
    }
  }
};

template <class Way, class Result>
void fetch(const Step& step, Warp& warp, LaneMask active) {
  const FetchPlan& plan = *static_cast<const FetchPlan*>(step.data);
  ObjectsOfLanes<Texture> textures;
  const std::uint64_t* const handles = warp.in<std::uint64_t>(plan.lookup.handle);
  each_lane(active, [&](unsigned lane) {
    const Texture& texture = textures.at(handles[lane], lane);
    Result::put(plan, warp, texture, Way::get(plan, warp, texture, lane), lane);
  });
  // Always resident: the emulator has no sparse arrays.
  if (plan.has_residency) warp.set_mask(plan.residency, active, active);
}

template <class Way>
Handler fetch_handler(std::string_view result) {
  if (result == "f16") return fetch<Way, HalfTexel>;
  if (result == "f16x2") return fetch<Way, PackedHalves>;
  return fetch<Way, Words>;
}

void set_results(FetchPlan& plan, const Operand& operand, std::string_view type, Lowering& lowering) {
  const bool is_pair = operand.kind == Operand::Kind::pair;
  const std::span<const Operand> vector = elements_of(is_pair ? operand.elements[0] : operand);
  const std::size_t count = type == "f16x2" ? 2 : 4;
  if (vector.size() != count) lowering.refuse("Vector of " + std::to_string(count) + " registers expected");
  for (std::size_t i = 0; i < count; ++i)
    plan.result[i] = lowering.out(vector[i], type == "f16" ? Type::b16 : Type::b32);
  plan.has_residency = is_pair;
  if (is_pair) plan.residency = lowering.out(operand.elements[1], Type::pred);
}

void set_vector(std::array<Slot, 3>& slots, const Operand& operand, unsigned count, Type type, Lowering& lowering) {
  const std::span<const Operand> given = elements_of(operand);
  if (given.size() < count) lowering.refuse("Vector of " + std::to_string(count) + " expected");
  for (unsigned i = 0; i < count; ++i) slots[i] = lowering.in(given[i], type);
}

/// The optional last operands: offsets of the elements, a depth to compare with.
void set_offsets(FetchPlan& plan, std::span<const Operand> rest, Lowering& lowering) {
  if (rest.empty()) return;
  const bool one_integer = plan.geometry.axes() == 1 && rest[0].type != Type::f32;
  if (rest.size() > 1 || (rest[0].kind != Operand::Kind::vector && !one_integer))
    throw Unsupported{"comparison with a depth"};
  if (plan.geometry.cube) lowering.refuse("Offsets are not for cubes");
  plan.has_offsets = true;
  set_vector(plan.offset, rest[0], plan.geometry.axes(), Type::s32, lowering);
}

/// The first of the two types.
std::string_view result_type(const ptx::Instruction& instruction, Lowering& lowering) {
  const auto found = std::find_if(instruction.modifiers.begin(), instruction.modifiers.end(),
                                  [](std::string_view each) { return ptx::type_named(each) != Type::none; });
  if (found == instruction.modifiers.end()) lowering.refuse("Types expected");
  return *found;
}

}  // namespace

void lower_tex(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.operands.size() < 2) lowering.refuse("Arguments mismatch for instruction 'tex'");
  const auto plan = std::make_shared<FetchPlan>();
  plan->geometry = geometry_of(instruction, lowering);
  const Type coordinate = type_from_end(instruction, 0);
  const bool by_integers = coordinate == Type::s32;
  if (!by_integers && coordinate != Type::f32) lowering.refuse("Coordinates of .s32 or .f32 expected");
  if (by_integers && plan->geometry.cube) lowering.refuse("Coordinates of cubes are .f32");
  const std::string_view type = result_type(instruction, lowering);
  set_results(*plan, instruction.operands[0], type, lowering);
  plan->lookup = lookup_slots(instruction.operands[1], plan->geometry, coordinate, lowering);

  std::span<const Operand> rest = std::span(instruction.operands).subspan(2);
  const auto next = [&]() -> const Operand& {
    if (rest.empty()) lowering.refuse("Arguments mismatch for instruction 'tex'");
    const Operand& operand = rest.front();
    rest = rest.subspan(1);
    return operand;
  };
  if (instruction.has("level")) {
    plan->level_by = LevelBy::level;
    plan->level = lowering.in(next(), coordinate);
  } else if (instruction.has("grad")) {
    if (by_integers) lowering.refuse("Gradients are of .f32 coordinates");
    plan->level_by = LevelBy::gradients;
    set_vector(plan->dx, next(), plan->geometry.dimensions, Type::f32, lowering);
    set_vector(plan->dy, next(), plan->geometry.dimensions, Type::f32, lowering);
  }
  set_offsets(*plan, rest, lowering);
  const Handler handler = by_integers ? fetch_handler<ByIntegers>(type) : fetch_handler<ByFloats>(type);
  lowering.emit(handler).data = lowering.keep_data(plan);
}

void lower_tld4(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.operands.size() < 2 || instruction.modifiers.empty())
    lowering.refuse("Arguments mismatch for instruction 'tld4'");
  const auto plan = std::make_shared<FetchPlan>();
  plan->geometry = geometry_of(instruction, lowering);
  if (plan->geometry.axes() != 2) lowering.refuse("tld4 is for planes and cubes");
  constexpr std::string_view channels = "rgba";
  const auto channel = std::find_if(instruction.modifiers.begin(), instruction.modifiers.end(),
                                    [=](std::string_view each) { return each.size() == 1; });
  if (channel == instruction.modifiers.end() || channels.find(*channel) == channels.npos)
    lowering.refuse("A component of r, g, b and a expected");
  plan->channel = static_cast<unsigned>(channels.find(*channel));
  const std::string_view type = result_type(instruction, lowering);
  set_results(*plan, instruction.operands[0], type, lowering);
  plan->lookup = lookup_slots(instruction.operands[1], plan->geometry, Type::f32, lowering);
  set_offsets(*plan, std::span(instruction.operands).subspan(2), lowering);
  lowering.emit(fetch_handler<Gathered>(type)).data = lowering.keep_data(plan);
}

}  // namespace kiln::emulator
