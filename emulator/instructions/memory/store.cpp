// st.
#include "emulator/instructions/memory/mbarrier.hpp"
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_handlers.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"
#include "emulator/instructions/memory/warp_access.hpp"
#include "emulator/machine/memory_checks.hpp"
#include "emulator/machine/wide_vectors.hpp"

namespace kiln::emulator {
namespace {

// While it exists, the checks know which values are being stored.
template <class M, class R>
class StoredValuesScope {
 public:
  StoredValuesScope(Warp& warp, const Slot* elements, std::size_t count) : checks_(warp.block().checks()) {
    if (checks_ != nullptr)
      checks_->storing({elements, static_cast<unsigned>(count), unsigned{sizeof(R)}, unsigned{sizeof(M)}});
  }
  ~StoredValuesScope() {
    if (checks_ != nullptr) checks_->storing({});
  }
  StoredValuesScope(const StoredValuesScope&) = delete;
  StoredValuesScope& operator=(const StoredValuesScope&) = delete;

 private:
  MemoryChecks* const checks_;
};

// M is the type in memory, R in the register, of which the low bytes are stored.
template <class M, class R>
[[gnu::noinline]] void store_anywhere(const Step& step, Warp& warp, LaneMask active) {
  const StoredValuesScope<M, R> scope(warp, &step.operand[0], 1);
  const HostAddresses to = host_addresses(step, warp, active, 1, sizeof(M), Access::write);
  const R* const a = warp.in<R>(step.operand[0]);
  each_lane(active, [&](unsigned lane) { relaxed_store(to.pointer<M>(lane), static_cast<M>(a[lane])); });
}

template <class M, class R>
void store(const Step& step, Warp& warp, LaneMask active) {
  const R* const a = warp.in<R>(step.operand[0]);
  const WarpBytes bytes = warp_bytes(step, warp, active, sizeof(M), Access::write);
  if (bytes.first != nullptr && bytes.adjacent) {
    auto* const to = reinterpret_cast<M*>(bytes.first);
    if constexpr (sizeof(M) == sizeof(R) && sizeof(M) <= 8)
      return move_values<warp_size>(reinterpret_cast<R*>(to), a, is_shared(kind_of(step)));
    for (unsigned lane = 0; lane < warp_size; ++lane) relaxed_store(to + lane, static_cast<M>(a[lane]));
    return;
  }
  SharedPlaces places;
  find_shared(step, warp, active, sizeof(M), places);
  if (places.begin == nullptr) return store_anywhere<M, R>(step, warp, active);
  const auto store_lane = [&](unsigned lane) { relaxed_store(places.pointer<M>(lane), static_cast<M>(a[lane])); };
  if (active == all_lanes) return unrolled<warp_size>(store_lane);
  each_lane(active, store_lane);
}

template <class M, class R>
void store_vector(const Step& step, Warp& warp, LaneMask active) {
  const auto count = static_cast<unsigned>(step.more.size());
  const StoredValuesScope<M, R> scope(warp, step.more.data(), count);
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
    return {for_processor<&store<M, R>>(), store_vector<M, R>};
  }
};

}  // namespace

void lower_store(const ptx::Instruction& instruction, Lowering& lowering) {
  // st.async stores at once, and then completes the transaction. The form for device memory is of sm_100.
  const bool is_async = instruction.has("async");
  if (is_async && !instruction.has("shared::cluster")) throw Unsupported{"st.async of device memory"};
  expect_operands(lowering, is_async ? 3 : 2, 3);
  const ptx::Operand& address = instruction.operands[0];
  const ptx::Type type = memory_type(instruction, lowering);
  const MemoryValues values = stored_values(instruction.operands[1], type, lowering);
  const Stores::Handlers handlers = handlers_by_size<Stores>(ptx::size_of(type), values.register_size);
  if (handlers.one == nullptr) throw Unsupported{"st with such a register for its type"};
  if (beyond_parameter(address, values.slots.size() * ptx::size_of(type), lowering)) return;
  const MemoryOperand to = memory_operand(address, stated_space(instruction), lowering);
  if (to.kind == PlaceKind::entry_param) lowering.refuse("a kernel's parameters cannot be written");
  emit_fence(lowering, releases(instruction));
  Step& step = lowering.emit(values.is_vector ? handlers.vector : handlers.one);
  values.put(step, lowering);
  to.put(step, 1);
  if (is_async)
    emit_complete_tx(instruction.operands[2], static_cast<std::uint32_t>(values.slots.size() * ptx::size_of(type)),
                     lowering);
}

}  // namespace kiln::emulator
