// Barriers of a block (bar, barrier) and of a cluster (barrier.cluster).
#include "emulator/instructions/control/control.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/divergence_check.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/machine/warp.hpp"

#include <bit>
#include <optional>
#include <string>

namespace kiln::emulator {
namespace {

struct Barrier {
  std::uint32_t number, threads;
};

// All steps: operand 0 is the result of a reduction, 1 the number, 2 the count of threads, 3 the predicate; small[0]
// says whether all threads of a warp must arrive together, small[1] selects the reduction.
void tell_watchers(const Step& step, Warp& warp, LaneMask lanes, const Barrier& barrier) {
  Block& block = warp.block();
  if (!block.watches_barriers()) return;
  const bool for_block = barrier.threads == 0 && barrier.number != Block::cluster_barrier;
  if (DivergenceCheck* const check = block.divergence(); check != nullptr && step.small[0] != 0)
    check->arrive(warp, lanes, barrier.number, for_block);
  if (BlockProfile* const profile = block.profile()) profile->arrive(warp, lanes, barrier.number);
}

Barrier barrier_of(const Step& step, const Warp& warp, unsigned lane) {
  const Barrier barrier{warp.in<std::uint32_t>(step.operand[1])[lane], warp.in<std::uint32_t>(step.operand[2])[lane]};
  if (barrier.number >= Block::barrier_count)
    throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, lane,
                "comes to barrier " + std::to_string(barrier.number) + ", but they are numbered from 0 to 15");
  if (barrier.threads % warp_size != 0)
    throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, lane,
                "comes to a barrier of " + std::to_string(barrier.threads) + " threads, which is no multiple of 32");
  return barrier;
}

// Lanes may use different barriers, but usually name one by constants.
template <class F>
void each_barrier(const Step& step, Warp& warp, LaneMask active, F f) {
  if (step.operand[1].is_constant() && step.operand[2].is_constant()) {
    const Barrier barrier = barrier_of(step, warp, first_lane(active));
    tell_watchers(step, warp, active, barrier);
    return f(barrier, active);
  }
  while (active != 0) {
    const Barrier barrier = barrier_of(step, warp, first_lane(active));
    const LaneMask lanes = lanes_where(active, [&](unsigned lane) {
      const Barrier other = barrier_of(step, warp, lane);
      return other.number == barrier.number && other.threads == barrier.threads;
    });
    tell_watchers(step, warp, lanes, barrier);
    f(barrier, lanes);
    active &= ~lanes;
  }
}

void synchronize(const Step& step, Warp& warp, LaneMask active) {
  each_barrier(step, warp, active, [&](const Barrier& barrier, LaneMask lanes) {
    warp.block().arrive(warp, lanes, barrier.number, barrier.threads, true);
  });
}

void arrive_at_barrier(const Step& step, Warp& warp, LaneMask active) {
  each_barrier(step, warp, active, [&](const Barrier& barrier, LaneMask lanes) {
    warp.block().arrive(warp, lanes, barrier.number, barrier.threads, false);
  });
}

void reduce_at_barrier(const Step& step, Warp& warp, LaneMask active) {
  const LaneMask predicate = warp.mask(step.operand[3]);
  each_barrier(step, warp, active, [&](const Barrier& barrier, LaneMask lanes) {
    warp.block().arrive_reduce(warp, lanes, barrier.number, barrier.threads,
                               static_cast<Block::Reduction>(step.small[1]), predicate, step.operand[0]);
  });
}

void arrive_cluster(const Step& step, Warp& warp, LaneMask active) {
  tell_watchers(step, warp, active, {Block::cluster_barrier, 0});
  warp.block().arrive(warp, active, Block::cluster_barrier, 0, false);
}

void wait_cluster(const Step&, Warp& warp, LaneMask active) { warp.block().wait(warp, active, Block::cluster_barrier); }

Handler cluster_handler(const ptx::Instruction& instruction) {
  return instruction.has("wait") ? wait_cluster : arrive_cluster;
}

std::optional<Block::Reduction> reduction_of(const ptx::Instruction& instruction) {
  if (instruction.has("popc")) return Block::Reduction::popc;
  if (instruction.has("and")) return Block::Reduction::all;
  if (instruction.has("or")) return Block::Reduction::any;
  return std::nullopt;
}

}  // namespace

// bar.sync a{, b}; bar.arrive a, b; bar.red.op d, a{, b}, c;
void lower_barrier(const ptx::Instruction& instruction, Lowering& lowering) {
  const bool aligned = instruction.opcode == "bar" || instruction.has("aligned");
  if (instruction.has("cluster")) {
    lowering.emit(cluster_handler(instruction), StepKind::control).small[0] = aligned;
    return;
  }
  const auto& operands = instruction.operands;
  const bool reduces = instruction.has("red");
  if (operands.size() < (reduces ? 3u : 1u)) lowering.refuse("Wrong number of operands of a barrier");
  const std::size_t number_at = reduces ? 1 : 0;
  const bool has_count = operands.size() > number_at + (reduces ? 2 : 1);
  Slot slots[4];
  slots[1] = lowering.in(operands[number_at], ptx::Type::u32);
  slots[2] = has_count ? lowering.in(operands[number_at + 1], ptx::Type::u32) : lowering.constant(0, 4);
  Handler handler = instruction.has("arrive") ? arrive_at_barrier : synchronize;
  Block::Reduction op = Block::Reduction::popc;
  if (reduces) {
    const auto named = reduction_of(instruction);
    if (!named) lowering.refuse("Unknown reduction of a barrier");
    op = *named;
    slots[0] = lowering.out(operands[0], op == Block::Reduction::popc ? ptx::Type::u32 : ptx::Type::pred);
    slots[3] = lowering.in(operands.back(), ptx::Type::pred);
    handler = reduce_at_barrier;
  }
  Step& step = lowering.emit(handler, StepKind::control);
  std::copy(std::begin(slots), std::end(slots), std::begin(step.operand));
  step.small[0] = aligned;
  step.small[1] = static_cast<std::uint8_t>(op);
}

}  // namespace kiln::emulator
