// st.
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_handlers.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"
#include "emulator/machine/memory_checks.hpp"

namespace kiln::emulator {
namespace {

// Tells the checks what is stored, while it lives.
template <class M, class R>
class TellValues {
 public:
  TellValues(Warp& warp, const Slot* elements, std::size_t count) : checks_(warp.block().checks()) {
    if (checks_ != nullptr)
      checks_->storing({elements, static_cast<unsigned>(count), unsigned{sizeof(R)}, unsigned{sizeof(M)}});
  }
  ~TellValues() {
    if (checks_ != nullptr) checks_->storing({});
  }
  TellValues(const TellValues&) = delete;
  TellValues& operator=(const TellValues&) = delete;

 private:
  MemoryChecks* const checks_;
};

// M is in memory; R in the register, of which the low bytes are stored.
template <class M, class R>
void store(const Step& step, Warp& warp, LaneMask active) {
  const TellValues<M, R> told(warp, &step.operand[0], 1);
  const HostAddresses to = host_addresses(step, warp, active, 1, sizeof(M), Access::write);
  const R* const a = warp.in<R>(step.operand[0]);
  each_lane(active, [&](unsigned lane) { relaxed_store(to.pointer<M>(lane), static_cast<M>(a[lane])); });
}

template <class M, class R>
void store_vector(const Step& step, Warp& warp, LaneMask active) {
  const auto count = static_cast<unsigned>(step.more.size());
  const TellValues<M, R> told(warp, step.more.data(), count);
  const HostAddresses to = host_addresses(step, warp, active, 1, count * unsigned{sizeof(M)}, Access::write);
  for (unsigned i = 0; i < count; ++i) {
    const R* const a = warp.in<R>(step.more[i]);
    each_lane(active, [&](unsigned lane) { relaxed_store(to.pointer<M>(lane) + i, static_cast<M>(a[lane])); });
  }
}

struct Stores {
  struct Handlers {
    Handler one = nullptr, vector = nullptr;
  };
  template <class M, class R>
  static Handlers of() {
    return {store<M, R>, store_vector<M, R>};
  }
};

}  // namespace

void lower_store(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("async")) throw NotDone{"st.async"};
  if (instruction.has("bulk")) throw NotDone{"st.bulk"};
  need_operands(instruction, lowering, 2);
  const ptx::Type type = memory_type(instruction, lowering);
  const ptx::Operand& source = instruction.operands[1];
  const bool is_vector = source.kind == ptx::Operand::Kind::vector;
  unsigned register_size = 0;
  std::vector<Slot> slots;
  if (is_vector)
    slots = vector_sources(source, type, register_size, lowering);
  else
    slots.push_back(lowering.in_any(source, type, register_size));
  check_vector(instruction, lowering, slots.size());
  const Stores::Handlers handlers = handlers_by_size<Stores>(ptx::size_of(type), register_size);
  if (handlers.one == nullptr) lowering.refuse("the register is too small for the type of st");
  if (beyond_parameter(instruction.operands[0], slots.size() * ptx::size_of(type), lowering)) return;
  const MemoryOperand to = memory_operand(instruction.operands[0], stated_space(instruction), lowering);
  if (to.kind == PlaceKind::entry_param) lowering.refuse("a kernel's parameters cannot be written");
  const std::span<const Slot> kept = is_vector ? lowering.keep(slots) : std::span<const Slot>();
  emit_fence(lowering, releases(instruction));
  Step& step = lowering.emit(is_vector ? handlers.vector : handlers.one);
  step.operand[0] = slots.front();
  step.more = kept;
  to.put(step, 1);
}

}  // namespace kiln::emulator
