// ld, ldu.
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_handlers.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"
#include "emulator/instructions/memory/warp_access.hpp"
#include "emulator/machine/wide_vectors.hpp"

namespace kiln::emulator {
namespace {

template <class R, class M>
R widened(M value) {
  return static_cast<R>(value);  // NOLINT(bugprone-signed-char-misuse): a signed value keeps its sign
}

// M is the type in memory, R in the register, which may be wider.
template <class M, class R>
[[gnu::noinline]] void load_anywhere(const Step& step, Warp& warp, LaneMask active) {
  const HostAddresses from = host_addresses(step, warp, active, 1, sizeof(M), Access::read);
  R* const d = warp.out<R>(step.operand[0]);
  each_lane(active, [&](unsigned lane) { d[lane] = widened<R>(relaxed_load(from.pointer<M>(lane))); });
}

template <class M, class R>
void load_warp(const Step& step, const WarpBytes& bytes, R* d) {
  const auto* const from = reinterpret_cast<const M*>(bytes.first);
  if (!bytes.adjacent) {
    const R value = widened<R>(relaxed_load(from));
    for (unsigned lane = 0; lane < warp_size; ++lane) d[lane] = value;
  } else if constexpr (sizeof(M) == sizeof(R) && sizeof(M) <= 8) {
    move_values<warp_size>(d, reinterpret_cast<const R*>(from), is_shared(kind_of(step)));
  } else {
    for (unsigned lane = 0; lane < warp_size; ++lane) d[lane] = widened<R>(relaxed_load(from + lane));
  }
}

template <class M, class R>
void load(const Step& step, Warp& warp, LaneMask active) {
  const WarpBytes bytes = warp_bytes(step, warp, active, sizeof(M), Access::read);
  if (bytes.first != nullptr) return load_warp<M>(step, bytes, warp.out<R>(step.operand[0]));
  SharedPlaces places;
  find_shared(step, warp, active, sizeof(M), places);
  if (places.begin == nullptr) return load_anywhere<M, R>(step, warp, active);
  R* const d = warp.out<R>(step.operand[0]);
  const auto load_lane = [&](unsigned lane) { d[lane] = widened<R>(relaxed_load(places.pointer<M>(lane))); };
  if (active == all_lanes) return unrolled<warp_size>(load_lane);
  each_lane(active, load_lane);
}

template <class M, class R>
[[gnu::noinline]] void load_vector_anywhere(const Step& step, Warp& warp, LaneMask active) {
  const auto count = static_cast<unsigned>(step.more.size());
  const HostAddresses from = host_addresses(step, warp, active, 1, count * unsigned{sizeof(M)}, Access::read);
  for (unsigned i = 0; i < count; ++i) {
    R* const d = warp.out<R>(step.more[i]);
    each_lane(active, [&](unsigned lane) { d[lane] = widened<R>(relaxed_load(from.pointer<M>(lane) + i)); });
  }
}

// The elements of vectors that lie side by side, each to its register.
template <class M, class R, unsigned count>
void split_vectors(const Step& step, Warp& warp, const M* from) {
  alignas(64) M values[warp_size * count];
  move_values<warp_size * count>(values, from, is_shared(kind_of(step)));
  const M* const all = values;
  for (unsigned i = 0; i < count; ++i)
    assign_lanes(all_lanes, warp.out<R>(step.more[i]),
                 [=](unsigned lane) { return widened<R>(all[lane * count + i]); });
}

template <class M, class R>
void load_vector(const Step& step, Warp& warp, LaneMask active) {
  const auto count = static_cast<unsigned>(step.more.size());
  const WarpBytes bytes = warp_bytes(step, warp, active, count * unsigned{sizeof(M)}, Access::read);
  if (bytes.first == nullptr) return load_vector_anywhere<M, R>(step, warp, active);
  const auto* const from = reinterpret_cast<const M*>(bytes.first);
  if (!bytes.adjacent) {
    for (unsigned i = 0; i < count; ++i) {
      const R value = widened<R>(relaxed_load(from + i));
      assign_lanes(all_lanes, warp.out<R>(step.more[i]), [=](unsigned) { return value; });
    }
    return;
  }
  if (count == 2) return split_vectors<M, R, 2>(step, warp, from);
  if (count == 4) return split_vectors<M, R, 4>(step, warp, from);
  load_vector_anywhere<M, R>(step, warp, active);
}

// The pairs of types that compilers use: each costs a second to compile.
template <class M, class R>
Handler load_handler() {
  if constexpr (sizeof(M) == sizeof(R) || sizeof(R) <= 4)
    return for_processor<&load<M, R>>();
  else
    return load_anywhere<M, R>;
}
template <class M, class R>
Handler load_vector_handler() {
  if constexpr (sizeof(M) == sizeof(R) || (sizeof(M) == 1 && sizeof(R) == 2))
    return for_processor<&load_vector<M, R>>();
  else
    return load_vector_anywhere<M, R>;
}

// A kernel parameter at a constant offset.
template <class M, class R>
void load_parameter(const Step& step, Warp& warp, LaneMask active) {
  const unsigned first = first_lane(active);
  const std::byte* const from =
      host_bytes(warp, step, first, ptx::Space::param, static_cast<std::uint64_t>(step.value), sizeof(M), Access::read);
  const R value = widened<R>(relaxed_load(reinterpret_cast<const M*>(from)));
  assign_lanes(active, warp.out<R>(step.operand[0]), [=](unsigned) { return value; });
}

// The same for a parameter that is named: lowering knows that it has these bytes.
template <class M, class R>
void load_named_parameter(const Step& step, Warp& warp, LaneMask active) {
  if (warp.block().watches_accesses()) return load_parameter<M, R>(step, warp, active);
  const auto* const from = reinterpret_cast<const M*>(warp.block().params() + step.value);
  const R value = widened<R>(relaxed_load(from));
  assign_lanes(active, warp.out<R>(step.operand[0]), [=](unsigned) { return value; });
}

struct Loads {
  struct Handlers {
    Handler one = nullptr, vector = nullptr, parameter = nullptr, named_parameter = nullptr;
  };
  template <class M, class R>
  static Handlers of() {
    return {load_handler<M, R>(), load_vector_handler<M, R>(), load_parameter<M, R>, load_named_parameter<M, R>};
  }
};

Loads::Handlers handlers_for(ptx::Type type, unsigned register_size) {
  if (ptx::size_of(type) == register_size) return handlers_by_size<Loads>(register_size, register_size);
  switch (type) {
    case ptx::Type::s8:
      return handlers_of<Loads, std::int8_t>(register_size);
    case ptx::Type::s16:
      return handlers_of<Loads, std::int16_t>(register_size);
    case ptx::Type::s32:
      return handlers_of<Loads, std::int32_t>(register_size);
    default:
      return handlers_by_size<Loads>(ptx::size_of(type), register_size);
  }
}

}  // namespace

void lower_load(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2, 3);
  const ptx::Operand& address = instruction.operands[1];
  const ptx::Type type = memory_type(instruction, lowering);
  const MemoryValues values = loaded_values(instruction.operands[0], type, lowering);
  const Loads::Handlers handlers = handlers_for(type, values.register_size);
  if (handlers.one == nullptr) throw Unsupported{"ld with such a register for its type"};
  if (beyond_parameter(address, values.slots.size() * ptx::size_of(type), lowering)) return;
  const MemoryOperand from = memory_operand(address, stated_space(instruction), lowering);
  Handler handler = values.is_vector ? handlers.vector : handlers.one;
  if (!values.is_vector && from.kind == PlaceKind::entry_param && from.uniform) {
    const bool aligned = from.offset % static_cast<std::int64_t>(ptx::size_of(type)) == 0;
    handler = from.named && aligned ? handlers.named_parameter : handlers.parameter;
  }
  Step& step = lowering.emit(handler);
  values.put(step, lowering);
  from.put(step, 1);
  emit_fence(lowering, acquires(instruction));
}

}  // namespace kiln::emulator
