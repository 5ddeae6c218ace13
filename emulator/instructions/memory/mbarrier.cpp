#include "emulator/instructions/memory/mbarrier.hpp"

#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"
#include "emulator/machine/async_checks.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <string>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t count_mask = (1u << 20) - 1;
constexpr std::int32_t transaction_limit = 1 << 20;

[[noreturn]] void stop(unsigned lane, const std::string& text) { throw Fault(CUDA_ERROR_LAUNCH_FAILED, lane, text); }

void check_arrival_count(unsigned lane, std::uint64_t count, const char* what) {
  if (count == 0 || count > count_mask)
    stop(lane,
         std::string(what) + " of mbarrier is " + std::to_string(count) + ", not 1 to " + std::to_string(count_mask));
}

void add_transactions(BarrierObject& barrier, unsigned lane, std::int64_t bytes) {
  const std::int64_t sum = barrier.transactions + bytes;
  if (sum <= -transaction_limit || sum >= transaction_limit) stop(lane, "an mbarrier's tx-count is out of range");
  barrier.transactions = static_cast<std::int32_t>(sum);
}

void arrive_at_mbarrier(BarrierObject& barrier, unsigned lane, std::uint32_t count) {
  check_arrival_count(lane, count, "the count of an arrival");
  if (count > barrier.pending)
    stop(lane, std::to_string(count) + " arrivals on an mbarrier that awaits " + std::to_string(barrier.pending));
  barrier.pending -= count;
}

// The effect of an instruction on a valid barrier; n is a count of arrivals or bytes.
using Change = void (*)(BarrierObject&, unsigned lane, std::uint32_t n);

void do_arrive(BarrierObject& barrier, unsigned lane, std::uint32_t n) { arrive_at_mbarrier(barrier, lane, n); }
void do_arrive_no_complete(BarrierObject& barrier, unsigned lane, std::uint32_t n) {
  arrive_at_mbarrier(barrier, lane, n);
  if (barrier.pending == 0) stop(lane, "mbarrier.arrive.noComplete completes the phase");
}
void do_arrive_drop(BarrierObject& barrier, unsigned lane, std::uint32_t n) {
  arrive_at_mbarrier(barrier, lane, n);
  barrier.expected -= n;
}
void do_expect(BarrierObject& barrier, unsigned lane, std::uint32_t n) { add_transactions(barrier, lane, n); }
void do_complete(BarrierObject& barrier, unsigned lane, std::uint32_t n) {
  add_transactions(barrier, lane, -std::int64_t{n});
}
void do_arrive_expect(BarrierObject& barrier, unsigned lane, std::uint32_t n) {
  add_transactions(barrier, lane, n);
  arrive_at_mbarrier(barrier, lane, 1);
}
void do_arrive_drop_expect(BarrierObject& barrier, unsigned lane, std::uint32_t n) {
  do_arrive_expect(barrier, lane, n);
  barrier.expected -= 1;
}

BarrierObject valid_barrier(std::uint64_t bits, unsigned lane) {
  const BarrierObject barrier = BarrierObject::of(bits);
  if (!barrier.valid) stop(lane, "an mbarrier is used that was not initialised (mbarrier.init)");
  return barrier;
}

// Begins the next phase if nothing is outstanding, and stores the object.
void settle_and_store(BarrierObject& barrier, Warp& warp, std::uint64_t* place) {
  const bool phase = barrier.phase;
  barrier.settle();
  relaxed_store(place, barrier.bits());
  if (barrier.phase == phase) return;
  if (AsyncChecks* const checks = async_checks(warp))
    checks->phase_completed(warp, reinterpret_cast<std::uint64_t>(place));
}

// Operands of all steps: 0 the result, 1 the address, 2 the count, state or parity. `by_copies`: the phase completes
// with what the lanes have issued by cp.async.
template <Change change, bool by_copies = false>
void update(const Step& step, Warp& warp, LaneMask active) {
  const HostAddresses at = host_addresses(step, warp, active, 1, 8, Access::read_write);
  if (AsyncChecks* const checks = by_copies ? async_checks(warp) : nullptr)
    each_lane(active, [&](unsigned lane) { checks->arrive_copies(warp, lane, at.at[lane]); });
  const auto* const n = warp.in<std::uint32_t>(step.operand[2]);
  auto* const state = warp.out<std::uint64_t>(step.operand[0]);
  each_lane(active, [&](unsigned lane) {
    const std::uint64_t old = relaxed_load(at.pointer<std::uint64_t>(lane));
    BarrierObject barrier = valid_barrier(old, lane);
    change(barrier, lane, n[lane]);
    settle_and_store(barrier, warp, at.pointer<std::uint64_t>(lane));
    state[lane] = old;
  });
}

void forget_copies(Warp& warp, LaneMask active, const HostAddresses& at) {
  if (AsyncChecks* const checks = async_checks(warp))
    each_lane(active, [&](unsigned lane) { checks->forget(warp, at.at[lane]); });
}

void initialise(const Step& step, Warp& warp, LaneMask active) {
  const HostAddresses at = host_addresses(step, warp, active, 1, 8, Access::strong_write);
  const auto* const count = warp.in<std::uint32_t>(step.operand[2]);
  each_lane(active, [&](unsigned lane) {
    check_arrival_count(lane, count[lane], "the count");
    relaxed_store(at.pointer<std::uint64_t>(lane), BarrierObject{count[lane], count[lane], 0, false, true}.bits());
  });
  forget_copies(warp, active, at);
}

void invalidate(const Step& step, Warp& warp, LaneMask active) {
  const HostAddresses at = host_addresses(step, warp, active, 1, 8, Access::read_write);
  each_lane(active, [&](unsigned lane) {
    valid_barrier(relaxed_load(at.pointer<std::uint64_t>(lane)), lane);
    relaxed_store(at.pointer<std::uint64_t>(lane), std::uint64_t{0});
  });
  forget_copies(warp, active, at);
}

// Lanes that have to wait yield (so this is a control step) and try again.
void set_completed(const Step& step, Warp& warp, LaneMask active, LaneMask completed, const HostAddresses& at) {
  if (AsyncChecks* const checks = async_checks(warp))
    each_lane(completed, [&](unsigned lane) { checks->saw_phase(warp, lane, at.at[lane]); });
  warp.set_mask(step.operand[0], active, completed);
  if (completed != active) warp.yield();
}

void wait_state(const Step& step, Warp& warp, LaneMask active) {
  const HostAddresses at = host_addresses(step, warp, active, 1, 8, Access::read_write);
  const auto* const state = warp.in<std::uint64_t>(step.operand[2]);
  const LaneMask completed = lanes_where(active, [&](unsigned lane) {
    const BarrierObject now = valid_barrier(relaxed_load(at.pointer<std::uint64_t>(lane)), lane);
    return now.phase != BarrierObject::of(state[lane]).phase;
  });
  set_completed(step, warp, active, completed, at);
}

void wait_parity(const Step& step, Warp& warp, LaneMask active) {
  const HostAddresses at = host_addresses(step, warp, active, 1, 8, Access::read_write);
  const auto* const parity = warp.in<std::uint32_t>(step.operand[2]);
  const LaneMask completed = lanes_where(active, [&](unsigned lane) {
    const BarrierObject now = valid_barrier(relaxed_load(at.pointer<std::uint64_t>(lane)), lane);
    return now.phase != ((parity[lane] & 1u) != 0);
  });
  set_completed(step, warp, active, completed, at);
}

void pending_count(const Step& step, Warp& warp, LaneMask active) {
  auto* const d = warp.out<std::uint32_t>(step.operand[0]);
  const auto* const state = warp.in<std::uint64_t>(step.operand[2]);
  each_lane(active, [=](unsigned lane) { d[lane] = BarrierObject::of(state[lane]).pending; });
}

Handler change_of(const ptx::Instruction& instruction) {
  const bool expects = instruction.has("expect_tx");
  if (instruction.has("arrive_drop")) return expects ? update<do_arrive_drop_expect> : update<do_arrive_drop>;
  if (instruction.has("arrive")) {
    if (instruction.has("noComplete")) return update<do_arrive_no_complete>;
    return expects ? update<do_arrive_expect> : update<do_arrive>;
  }
  if (expects) return update<do_expect>;
  return instruction.has("complete_tx") ? update<do_complete> : nullptr;
}

struct Parts {
  Slot result, value;
};

void emit_mbarrier(Lowering& lowering, Handler handler, const Parts& parts, const ptx::Operand& address,
                   StepKind kind = StepKind::plain) {
  const ptx::Instruction& instruction = lowering.instruction();
  const MemoryOperand place = memory_operand(address, stated_space(instruction), lowering);
  emit_fence(lowering, releases(instruction));
  Step& step = lowering.emit(handler, kind);
  step.operand[0] = parts.result;
  step.operand[2] = parts.value;
  place.put(step, 1);
  emit_fence(lowering, acquires(instruction));
}

void lower_wait(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 3, 4);
  const bool parity = instruction.has("parity");
  const Parts parts{lowering.out(instruction.operands[0], ptx::Type::pred),
                    lowering.in(instruction.operands[2], parity ? ptx::Type::b32 : ptx::Type::b64)};
  emit_mbarrier(lowering, parity ? wait_parity : wait_state, parts, instruction.operands[1], StepKind::control);
}

void lower_pending_count(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  const Slot state = lowering.in(instruction.operands[1], ptx::Type::b64);
  const Slot count = lowering.out(instruction.operands[0], ptx::Type::b32);
  Step& step = lowering.emit(pending_count);
  step.operand[0] = count;
  step.operand[2] = state;
}

void lower_change(const ptx::Instruction& instruction, Lowering& lowering) {
  const Handler handler = change_of(instruction);
  if (handler == nullptr) throw Unsupported{"this form of mbarrier"};
  const bool has_state = instruction.has("arrive") || instruction.has("arrive_drop");
  const std::size_t first = has_state && instruction.operands.front().kind != ptx::Operand::Kind::address ? 1 : 0;
  expect_operands(lowering, first + 1, first + 2);
  Parts parts;
  parts.result = first == 1 ? lowering.out(instruction.operands[0], ptx::Type::b64) : lowering.scratch(8);
  const bool counted = instruction.operands.size() > first + 1;
  parts.value = counted ? lowering.in(instruction.operands[first + 1], ptx::Type::b32) : lowering.constant(1, 4);
  emit_mbarrier(lowering, handler, parts, instruction.operands[first]);
}

}  // namespace

BarrierObject BarrierObject::of(std::uint64_t bits) {
  BarrierObject object;
  object.pending = static_cast<std::uint32_t>(bits & count_mask);
  object.expected = static_cast<std::uint32_t>(bits >> 20 & count_mask);
  object.transactions = static_cast<std::int32_t>(bits >> 40 & 0x1FFFFF) - transaction_limit;
  object.valid = (bits >> 62 & 1u) != 0;
  object.phase = bits >> 63 != 0;
  return object;
}

std::uint64_t BarrierObject::bits() const {
  const auto shifted = static_cast<std::uint64_t>(transactions + transaction_limit);
  return std::uint64_t{phase} << 63 | std::uint64_t{valid} << 62 | shifted << 40 | std::uint64_t{expected} << 20 |
         pending;
}

void BarrierObject::settle() {
  if (pending != 0 || transactions != 0) return;
  phase = !phase;
  pending = expected;
}

void complete_transactions(const Step& step, Warp& warp, unsigned lane, std::uint64_t address, std::uint32_t bytes) {
  std::byte* const at = host_bytes(warp, step, lane, ptx::Space::shared, address, 8, Access::read_write);
  auto* const object = reinterpret_cast<std::uint64_t*>(at);
  BarrierObject barrier = valid_barrier(relaxed_load(object), lane);
  do_complete(barrier, lane, bytes);
  settle_and_store(barrier, warp, object);
}

void lower_mbarrier(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 1, 4);
  if (instruction.has("test_wait") || instruction.has("try_wait")) return lower_wait(instruction, lowering);
  if (instruction.has("pending_count")) return lower_pending_count(instruction, lowering);
  if (instruction.has("inval")) return emit_mbarrier(lowering, invalidate, {}, instruction.operands[0]);
  if (!instruction.has("init")) return lower_change(instruction, lowering);
  expect_operands(lowering, 2);
  emit_mbarrier(lowering, initialise, {{}, lowering.in(instruction.operands[1], ptx::Type::b32)},
                instruction.operands[0]);
}

void emit_complete_tx(const ptx::Operand& barrier, std::uint32_t bytes, Lowering& lowering) {
  const Parts parts{lowering.scratch(8), lowering.constant(bytes, 4)};
  emit_mbarrier(lowering, update<do_complete>, parts, barrier);
}

// The copies are done already, so this is an arrival. Without .noinc the barrier first expects one more arrival.
void lower_copy_arrival(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 1);
  const Parts parts{lowering.scratch(8), lowering.constant(instruction.has("noinc") ? 1 : 0, 4)};
  emit_mbarrier(lowering, instruction.has("noinc") ? update<do_arrive, true> : update<do_expect, true>, parts,
                instruction.operands[0]);
}

}  // namespace kiln::emulator
