// Chooses the group of lanes that runs, and for how long; and the loop that runs it.
#include "emulator/machine/executed_steps.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/machine/warp_state.hpp"

#include <algorithm>
#include <limits>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t shortest_slice = 128;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Groups deepest in calls run first, so that lanes reconverge where the call returns. Within a frame the lowest
// position runs first, so that lanes reconverge after branches and loops.
bool goes_before(const Group& a, const Group& b) {
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  if (a.frame != b.frame) return a.frame->serial < b.frame->serial;
  return a.pc < b.pc;
}

bool ran_longer_ago(const Group& a, const Group& b) { return a.last_run < b.last_run; }

}  // namespace

class WarpScheduler {
 public:
  explicit WarpScheduler(Warp& warp) : warp_(warp), state_(*warp.state_) {}

  void run(std::uint64_t budget) {
    warp_.yield_ = false;
    while (budget > 0 && !warp_.yield_) {
      if ((warp_.reschedule_ || warp_.current_.lanes == 0) && !choose()) return;
      const bool alone = warp_.ready_.empty();
      const std::uint64_t most = alone ? budget : std::min(budget, state_.slice_left);
      const std::uint64_t ran = state_.observed ? run_group<true, true>(most)
                                : alone         ? run_group<false>(most)
                                                : run_group<true>(most);
      budget -= ran;
      if (alone) continue;
      state_.slice_left -= ran;
      if (warp_.yield_ || state_.slice_left == 0) end_slice();
    }
  }

 private:
  // Makes the first group in order current, unless the current one runs out of order. False if no group is ready.
  bool choose() {
    if (state_.out_of_turn && warp_.current_.lanes != 0) {
      warp_.reschedule_ = false;
      return true;
    }
    if (!put_back()) return false;
    take(std::min_element(warp_.ready_.begin(), warp_.ready_.end(), goes_before));
    state_.out_of_turn = false;
    for (const Group& each : warp_.ready_)
      if (each.frame == warp_.current_.frame) state_.reconvergence_pc = std::min(state_.reconvergence_pc, each.pc);
    return true;
  }

  // The current group may be waiting for another one, for example to release a lock: so each of the others gets a
  // slice, out of order. In such a warp this is likely to happen again, so slices become shorter.
  void end_slice() {
    if (state_.out_of_turn) {
      state_.out_of_turn = false;
      warp_.reschedule_ = true;
      return;
    }
    if (!warp_.yield_) state_.slice = std::max(state_.slice / 2, shortest_slice);
    if (!put_back()) return;
    take(std::min_element(warp_.ready_.begin(), warp_.ready_.end(), ran_longer_ago));
    state_.out_of_turn = true;
  }

  bool put_back() {
    warp_.reschedule_ = false;
    if (warp_.current_.lanes != 0) warp_.add_ready(warp_.current_);
    warp_.current_.lanes = 0;
    return !warp_.ready_.empty();
  }

  void take(std::vector<Group>::iterator group) {
    warp_.set_current(*group);
    warp_.current_.last_run = warp_.steps_run_;
    *group = warp_.ready_.back();
    warp_.ready_.pop_back();
    state_.slice_left = state_.slice;
    state_.reconvergence_pc = nowhere;
  }

  // Runs the current group for at most `budget` steps, or until another one has to be chosen. Returns the number of
  // steps.
  template <bool has_others, bool observed = false>
  std::uint64_t run_group(std::uint64_t budget) {
    Warp& warp = warp_;
    const Step* steps = warp.current_.frame->code->steps.data();
    std::uint32_t pc = warp.current_.pc;
    std::uint64_t threads = 0;
    LaneMask counted = 0;  // cached: counting lanes costs more than comparing masks
    unsigned count = 0;
    std::uint64_t left = budget;
    while (left > 0) {
      --left;
      const Step& step = steps[pc];
      LaneMask active = warp.current_.lanes;
      if (step.guard != Step::no_guard) {
        const LaneMask holds = *warp.in<LaneMask>(Slot{step.guard});
        active &= step.guard_negated ? ~holds : holds;
      }
      warp.current_.pc = ++pc;
      if (observed) observe(active);
      if (active != 0) {
        if (active != counted) {
          counted = active;
          count = static_cast<unsigned>(std::popcount(active));
        }
        threads += count;
        if (step.kind == StepKind::plain) {
          step.run(step, warp, active);
        } else {
          if (step.kind == StepKind::control)
            step.run(step, warp, active);
          else
            run_sync(step, active);
          if (warp.reschedule_ || warp.yield_) break;
          steps = warp.current_.frame->code->steps.data();
          pc = warp.current_.pc;
        }
      }
      if (has_others && pc >= state_.reconvergence_pc) {
        warp.reschedule_ = true;
        break;
      }
    }
    warp.steps_run_ += budget - left;
    warp.thread_instructions_ += threads;
    return budget - left;
  }

  void observe(LaneMask active) {
    if (state_.trace) state_.trace->step(warp_.current_, active);
    if (ExecutedSteps* const counts = warp_.block_.executed_steps())
      counts->add(*warp_.current_.frame->code, warp_.current_.pc - 1, static_cast<unsigned>(std::popcount(active)));
    if (BlockProfile* const profile = warp_.block_.profile()) profile->step(warp_, active);
  }

  // Fast path: usually all members arrive together.
  void run_sync(const Step& step, LaneMask active) {
    const Slot slot = step.operand[step.sync_mask];
    const std::uint32_t* const members = warp_.in<std::uint32_t>(slot);
    const std::uint32_t first = members[first_lane(active)];
    const bool agree =
        slot.is_constant() || lanes_where(active, [=](unsigned lane) { return members[lane] != first; }) == 0;
    if (agree && state_.parked.empty() && (first & warp_.live_ & ~active) == 0) return warp_.run_synced(step, active);
    Group arrived = warp_.current_;
    --arrived.pc;
    for (LaneMask rest = active; rest != 0; rest &= ~arrived.lanes) {
      const std::uint32_t mask = members[first_lane(rest)];
      arrived.lanes = lanes_where(rest, [=](unsigned lane) { return members[lane] == mask; });
      state_.parked.push_back({arrived, mask});
    }
    warp_.leave_group(active);
    warp_.reschedule_ = true;
    warp_.run_parked();
  }

  Warp& warp_;
  Warp::State& state_;
};

void Warp::run(std::uint64_t budget) { WarpScheduler(*this).run(budget); }

}  // namespace kiln::emulator
