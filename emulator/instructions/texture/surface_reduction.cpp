// sured.
#include "emulator/instructions/texture/surface_access.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

using ptx::Type;

template <class T, class Operation>
void apply(std::byte* bytes, T value, Operation operation) {
  T* const place = reinterpret_cast<T*>(bytes);
  T old = relaxed_load(place);
  while (!relaxed_exchange(place, old, operation(old, value))) {
  }
}

struct SurfaceAdd {
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
struct SurfaceAnd {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct SurfaceOr {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};

/// Unsigned and Signed have the same size. sured.p uses the one that the surface has.
template <class Unsigned, class Signed, class Operation>
void reduce_surface(const Step& step, Warp& warp, LaneMask active) {
  const SurfacePlan& plan = *static_cast<const SurfacePlan*>(step.data);
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

/// Bitwise operations and sums are the same for both types.
template <class Unsigned, class Operation>
constexpr Handler reduce_bits = reduce_surface<Unsigned, Unsigned, Operation>;

template <class Unsigned, class Signed>
Handler reduction(const ptx::Instruction& instruction) {
  if (instruction.has("add")) return reduce_bits<Unsigned, SurfaceAdd>;
  if (instruction.has("and")) return reduce_bits<Unsigned, SurfaceAnd>;
  if (instruction.has("or")) return reduce_bits<Unsigned, SurfaceOr>;
  if (instruction.has("min")) return reduce_surface<Unsigned, Signed, Least>;
  if (instruction.has("max")) return reduce_surface<Unsigned, Signed, Most>;
  return nullptr;
}

}  // namespace

void lower_surface_reduction(const ptx::Instruction& instruction, Lowering& lowering) {
  const auto plan = surface_plan(instruction, 0, lowering);
  const Type type = type_from_end(instruction, 0);
  const Handler handler = plan->part_bytes == 8 ? reduction<std::uint64_t, std::int64_t>(instruction)
                                                : reduction<std::uint32_t, std::int32_t>(instruction);
  if (handler == nullptr || plan->part_bytes < 4) lowering.refuse("Unknown operation of instruction 'sured'");
  Step& step = lowering.emit(handler);
  step.data = lowering.keep_data(plan);
  step.small[0] = type == Type::s32 || type == Type::s64 ? 1 : 0;
}

}  // namespace kiln::emulator
