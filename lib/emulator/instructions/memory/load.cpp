// ld, ldu.
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_handlers.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"

namespace kiln::emulator {
namespace {

// M is the type in memory, R in the register. R may be wider: signed values are sign-extended.
template <class M, class R>
void load(const Step& step, Warp& warp, LaneMask active) {
  const HostAddresses from = host_addresses(step, warp, active, 1, sizeof(M), Access::read);
  R* const d = warp.out<R>(step.operand[0]);
  each_lane(active, [&](unsigned lane) { d[lane] = static_cast<R>(relaxed_load(from.pointer<M>(lane))); });
}

template <class M, class R>
void load_vector(const Step& step, Warp& warp, LaneMask active) {
  const auto count = static_cast<unsigned>(step.more.size());
  const HostAddresses from = host_addresses(step, warp, active, 1, count * unsigned{sizeof(M)}, Access::read);
  for (unsigned i = 0; i < count; ++i) {
    R* const d = warp.out<R>(step.more[i]);
    each_lane(active, [&](unsigned lane) { d[lane] = static_cast<R>(relaxed_load(from.pointer<M>(lane) + i)); });
  }
}

// A kernel parameter at a constant offset.
template <class M, class R>
void load_parameter(const Step& step, Warp& warp, LaneMask active) {
  const unsigned first = first_lane(active);
  const std::byte* const from =
      host_bytes(warp, step, first, ptx::Space::param, static_cast<std::uint64_t>(step.value), sizeof(M), Access::read);
  const R value = static_cast<R>(relaxed_load(reinterpret_cast<const M*>(from)));
  R* const d = warp.out<R>(step.operand[0]);
  each_lane(active, [=](unsigned lane) { d[lane] = value; });
}

struct Loads {
  struct Handlers {
    Handler one = nullptr, vector = nullptr, parameter = nullptr;
  };
  template <class M, class R>
  static Handlers of() {
    return {load<M, R>, load_vector<M, R>, load_parameter<M, R>};
  }
};

Loads::Handlers handlers_for(ptx::Type type, unsigned register_size) {
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
  if (handlers.one == nullptr) lowering.refuse("the register is too small for the type of ld");
  if (beyond_parameter(address, values.slots.size() * ptx::size_of(type), lowering)) return;
  const MemoryOperand from = memory_operand(address, stated_space(instruction), lowering);
  const bool parameter = from.kind == PlaceKind::entry_param && from.uniform;
  Step& step = lowering.emit(values.is_vector ? handlers.vector : parameter ? handlers.parameter : handlers.one);
  values.put(step, lowering);
  from.put(step, 1);
  emit_fence(lowering, acquires(instruction));
}

}  // namespace kiln::emulator
