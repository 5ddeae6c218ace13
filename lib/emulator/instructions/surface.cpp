// suld, sust and sured.
#include "emulator/instructions/texture_lookup.hpp"
#include "emulator/machine/fault.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/texture/relaxed.hpp"
#include "emulator/texture/surface_place.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace kiln::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

/// What a step does.
struct Plan {
  Geometry geometry;
  LookupSlots lookup;
  bool by_samples = false;  // sust.p, sured.p: the first coordinate counts elements, not bytes
  Outside outside = Outside::trap;
  unsigned part_bytes = 0;  // of one component: 1, 2, 4 or 8
  unsigned parts = 1;
  std::array<Slot, 4> value;
  std::array<unsigned, 4> register_bytes = {};  // a register may be wider than its component
};

std::uint64_t register_value(const Warp& warp, const Plan& plan, unsigned part, unsigned lane) {
  const Slot slot = plan.value[part];
  switch (plan.register_bytes[part]) {
    case 2:
      return warp.in<std::uint16_t>(slot)[lane];
    case 4:
      return warp.in<std::uint32_t>(slot)[lane];
    default:
      return warp.in<std::uint64_t>(slot)[lane];
  }
}

void set_register(Warp& warp, const Plan& plan, unsigned part, unsigned lane, std::uint64_t value) {
  const Slot slot = plan.value[part];
  switch (plan.register_bytes[part]) {
    case 2:
      warp.out<std::uint16_t>(slot)[lane] = static_cast<std::uint16_t>(value);
      return;
    case 4:
      warp.out<std::uint32_t>(slot)[lane] = static_cast<std::uint32_t>(value);
      return;
    default:
      warp.out<std::uint64_t>(slot)[lane] = value;
  }
}

std::uint64_t load_part(const std::byte* at, unsigned bytes) {
  switch (bytes) {
    case 1:
      return relaxed_load<std::uint8_t>(at);
    case 2:
      return relaxed_load<std::uint16_t>(at);
    case 4:
      return relaxed_load<std::uint32_t>(at);
    default:
      return relaxed_load<std::uint64_t>(at);
  }
}

void store_part(std::byte* at, unsigned bytes, std::uint64_t value) {
  switch (bytes) {
    case 1:
      return relaxed_store(at, static_cast<std::uint8_t>(value));
    case 2:
      return relaxed_store(at, static_cast<std::uint16_t>(value));
    case 4:
      return relaxed_store(at, static_cast<std::uint32_t>(value));
    default:
      return relaxed_store(at, value);
  }
}

/// The coordinates as bytes, row and slice (or layer).
std::array<std::int64_t, 3> coordinates(const Plan& plan, const Warp& warp, const Texels& texels, unsigned lane) {
  std::array<std::int64_t, 3> at = {};
  for (unsigned i = 0; i < plan.geometry.dimensions; ++i) at[i] = warp.in<std::int32_t>(plan.lookup.at[i])[lane];
  if (plan.by_samples) at[0] *= texels.element.size();
  if (plan.geometry.layered) at[2] = warp.in<std::uint32_t>(plan.lookup.layer)[lane];
  return at;
}

std::string place_text(const std::array<std::int64_t, 3>& at, unsigned size) {
  return std::to_string(size) + " bytes at byte " + std::to_string(at[0]) + ", row " + std::to_string(at[1]) +
         ", slice " + std::to_string(at[2]);
}

/// The bytes that the lane touches; null where it touches none (.zero). Throws Fault.
std::byte* surface_bytes(const Plan& plan, const Warp& warp, const Surface& surface, unsigned size, unsigned lane) {
  const Texels& texels = surface.array->texels();
  const std::array<std::int64_t, 3> at = coordinates(plan, warp, texels, lane);
  const SurfacePlace place = surface_place(texels, at, size, plan.outside);
  if (place.bytes != nullptr) return place.bytes;
  if (place.misaligned)
    throw Fault(CUDA_ERROR_MISALIGNED_ADDRESS, lane,
                "uses " + place_text(at, size) + " of a surface: the first coordinate, in bytes, is no multiple");
  if (plan.outside == Outside::zero) return nullptr;
  throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
              "uses " + place_text(at, size) + " of a surface over a " + surface.array->text() + " with rows of " +
                  std::to_string(texels.width_bytes()) + " bytes");
}

/// Calls use(lane, bytes) for each lane; `size_of(surface)` tells how many bytes it touches.
template <class SizeOf, class Use>
void each_place(const Plan& plan, Warp& warp, LaneMask active, SizeOf size_of, Use use) {
  ObjectsOfLanes<Surface> surfaces;
  const std::uint64_t* const handles = warp.in<std::uint64_t>(plan.lookup.handle);
  each_lane(active, [&](unsigned lane) {
    const Surface& surface = surfaces.at(handles[lane], lane);
    use(lane, surface_bytes(plan, warp, surface, size_of(surface), lane), surface);
  });
}

void load(const Step& step, Warp& warp, LaneMask active) {
  const Plan& plan = *static_cast<const Plan*>(step.data);
  const auto size = [&](const Surface&) { return plan.part_bytes * plan.parts; };
  each_place(plan, warp, active, size, [&](unsigned lane, const std::byte* bytes, const Surface&) {
    for (unsigned i = 0; i < plan.parts; ++i) {
      const std::uint64_t value = bytes == nullptr ? 0 : load_part(bytes + i * plan.part_bytes, plan.part_bytes);
      set_register(warp, plan, i, lane, value);
    }
  });
}

void store(const Step& step, Warp& warp, LaneMask active) {
  const Plan& plan = *static_cast<const Plan*>(step.data);
  const auto size = [&](const Surface&) { return plan.part_bytes * plan.parts; };
  each_place(plan, warp, active, size, [&](unsigned lane, std::byte* bytes, const Surface&) {
    if (bytes == nullptr) return;
    for (unsigned i = 0; i < plan.parts; ++i)
      store_part(bytes + i * plan.part_bytes, plan.part_bytes, register_value(warp, plan, i, lane));
  });
}

void store_formatted(const Step& step, Warp& warp, LaneMask active) {
  const Plan& plan = *static_cast<const Plan*>(step.data);
  const auto size = [](const Surface& surface) { return surface.array->texels().element.size(); };
  each_place(plan, warp, active, size, [&](unsigned lane, std::byte* bytes, const Surface& surface) {
    if (bytes == nullptr) return;
    Texel texel = {};
    for (unsigned i = 0; i < plan.parts; ++i)
      texel[i] = static_cast<std::uint32_t>(register_value(warp, plan, i, lane));
    write_element(bytes, surface.array->texels().element, texel);
  });
}

template <class T, class Operation>
void apply(std::byte* bytes, T value, Operation operation) {
  const std::atomic_ref<T> place(*reinterpret_cast<T*>(bytes));
  T old = place.load(std::memory_order_relaxed);
  while (!place.compare_exchange_weak(old, operation(old, value), std::memory_order_relaxed)) {
  }
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Least {
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct Most {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};
struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};

/// Unsigned and Signed are of one size. sured.p learns from the surface which of them it is.
template <class Unsigned, class Signed, class Operation>
void reduce(const Step& step, Warp& warp, LaneMask active) {
  const Plan& plan = *static_cast<const Plan*>(step.data);
  const bool said_signed = step.small[0] != 0;
  const auto size = [](const Surface&) { return static_cast<unsigned>(sizeof(Unsigned)); };
  each_place(plan, warp, active, size, [&](unsigned lane, std::byte* bytes, const Surface& surface) {
    if (bytes == nullptr) return;
    const auto value = static_cast<Unsigned>(register_value(warp, plan, 0, lane));
    const bool of_signed = surface.array->texels().element.kind == ChannelKind::signed_int;
    if (plan.by_samples ? of_signed : said_signed)
      apply(bytes, static_cast<Signed>(value), Operation());
    else
      apply(bytes, value, Operation());
  });
}

/// Bits and sums are the same for both kinds of integers.
template <class Unsigned, class Operation>
constexpr Handler reduce_bits = reduce<Unsigned, Unsigned, Operation>;

template <class Unsigned, class Signed>
Handler reduction(const ptx::Instruction& instruction) {
  if (instruction.has("add")) return reduce_bits<Unsigned, Add>;
  if (instruction.has("and")) return reduce_bits<Unsigned, And>;
  if (instruction.has("or")) return reduce_bits<Unsigned, Or>;
  if (instruction.has("min")) return reduce<Unsigned, Signed, Least>;
  if (instruction.has("max")) return reduce<Unsigned, Signed, Most>;
  return nullptr;
}

std::shared_ptr<Plan> plan_of(const ptx::Instruction& instruction, std::size_t place, Lowering& lowering) {
  const std::string name(instruction.opcode);
  if (instruction.operands.size() != 2) lowering.refuse("Arguments mismatch for instruction '" + name + "'");
  const auto plan = std::make_shared<Plan>();
  plan->geometry = geometry_of(instruction, lowering);
  if (plan->geometry.cube) lowering.refuse("The faces of a cube are the layers of .a2d for '" + name + "'");
  plan->by_samples = instruction.has("p");
  if (instruction.has("clamp"))
    plan->outside = Outside::clamp;
  else if (instruction.has("zero"))
    plan->outside = Outside::zero;
  const Type type = type_from_end(instruction, 0);
  if (type == Type::none) lowering.refuse("Type expected for instruction '" + name + "'");
  plan->part_bytes = static_cast<unsigned>(ptx::size_of(type));
  plan->lookup = lookup_slots(instruction.operands[place], plan->geometry, Type::s32, lowering);

  const std::span<const Operand> values = elements_of(instruction.operands[1 - place]);
  const std::size_t wanted = instruction.has("v4") ? 4 : instruction.has("v2") ? 2 : 1;
  if (values.size() != wanted) lowering.refuse("Vector of " + std::to_string(wanted) + " expected");
  plan->parts = static_cast<unsigned>(wanted);
  for (std::size_t i = 0; i < wanted; ++i)
    plan->value[i] = place == 1 ? lowering.out_any(values[i], type, plan->register_bytes[i])
                                : lowering.in_any(values[i], type, plan->register_bytes[i]);
  return plan;
}

}  // namespace

void lower_surface_load(const ptx::Instruction& instruction, Lowering& lowering) {
  const auto plan = plan_of(instruction, 1, lowering);
  if (plan->by_samples) throw NotDone{"suld.p"};  // no ptxas of today knows it
  lowering.emit(load).data = lowering.keep_data(plan);
}

void lower_surface_store(const ptx::Instruction& instruction, Lowering& lowering) {
  const auto plan = plan_of(instruction, 0, lowering);
  lowering.emit(plan->by_samples ? store_formatted : store).data = lowering.keep_data(plan);
}

void lower_surface_reduction(const ptx::Instruction& instruction, Lowering& lowering) {
  const auto plan = plan_of(instruction, 0, lowering);
  const Type type = type_from_end(instruction, 0);
  const Handler handler = plan->part_bytes == 8 ? reduction<std::uint64_t, std::int64_t>(instruction)
                                                : reduction<std::uint32_t, std::int32_t>(instruction);
  if (handler == nullptr || plan->part_bytes < 4) lowering.refuse("Unknown operation of instruction 'sured'");
  Step& step = lowering.emit(handler);
  step.data = lowering.keep_data(plan);
  step.small[0] = type == Type::s32 || type == Type::s64 ? 1 : 0;
}

}  // namespace kiln::emulator
