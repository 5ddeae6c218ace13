// Which group of lanes runs, and for how long; and the loop that runs it.
#include "emulator/machine/warp_state.hpp"

#include <algorithm>
#include <limits>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t least_patience = 128;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Deepest in calls first, so that lanes meet again where the call returns; then one frame after the other, each from its
// lowest place on, so that lanes meet behind branches and loops.
bool goes_before(const Group& a, const Group& b) {
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  if (a.frame != b.frame) return a.frame->serial < b.frame->serial;
  return a.pc < b.pc;
}

bool ran_longer_ago(const Group& a, const Group& b) { return a.last_run < b.last_run; }

}  // namespace

class WarpScheduler {
 public:
  explicit WarpScheduler(Warp& warp) : warp_(warp), hidden_(*warp.hidden_) {}

  void run(std::uint64_t budget) {
    warp_.yield_ = false;
    while (budget > 0 && !warp_.yield_) {
      if ((warp_.reschedule_ || warp_.current_.lanes == 0) && !choose()) return;
      if (warp_.ready_.empty()) {
        budget -= run_group<false>(budget);
        continue;
      }
      const std::uint64_t ran = run_group<true>(std::min(budget, hidden_.turn_left));
      budget -= ran;
      hidden_.turn_left -= ran;
      if (warp_.yield_ || hidden_.turn_left == 0) end_turn();
    }
  }

 private:
  // The group that the order has first, unless the current one has its turn out of order. False where none is ready.
  bool choose() {
    if (hidden_.out_of_turn && warp_.current_.lanes != 0) {
      warp_.reschedule_ = false;
      return true;
    }
    if (!put_back()) return false;
    take(std::min_element(warp_.ready_.begin(), warp_.ready_.end(), goes_before));
    hidden_.out_of_turn = false;
    for (const Group& each : warp_.ready_)
      if (each.frame == warp_.current_.frame) hidden_.meeting_place = std::min(hidden_.meeting_place, each.pc);
    return true;
  }

  // What the lanes of the current group wait for may be another group's to do, such as to open a lock: each of the
  // others has a turn. A warp where that happened is likely to need it again, and soon.
  void end_turn() {
    if (hidden_.out_of_turn) {
      hidden_.out_of_turn = false;
      warp_.reschedule_ = true;
      return;
    }
    if (!warp_.yield_) hidden_.patience = std::max(hidden_.patience / 2, least_patience);
    if (!put_back()) return;
    take(std::min_element(warp_.ready_.begin(), warp_.ready_.end(), ran_longer_ago));
    hidden_.out_of_turn = true;
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
    hidden_.turn_left = hidden_.patience;
    hidden_.meeting_place = nowhere;
  }

  // Runs the current group for that many steps at most, or until another has to be chosen. How many it ran.
  template <bool has_others>
  std::uint64_t run_group(std::uint64_t budget) {
    Warp& warp = warp_;
    const Step* steps = warp.current_.frame->code->steps.data();
    std::uint32_t pc = warp.current_.pc;
    std::uint64_t threads = 0;
    LaneMask counted = 0;  // counting lanes costs more than looking whether they are others
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
      if (has_others && pc >= hidden_.meeting_place) {
        warp.reschedule_ = true;
        break;
      }
    }
    warp.steps_run_ += budget - left;
    warp.thread_instructions_ += threads;
    return budget - left;
  }

  // Members mostly come together.
  void run_sync(const Step& step, LaneMask active) {
    const Slot slot = step.operand[step.sync_mask];
    const std::uint32_t* const members = warp_.in<std::uint32_t>(slot);
    const std::uint32_t first = members[std::countr_zero(active)];
    const bool agree = slot.is_constant() || lanes_where(active, [=](unsigned lane) { return members[lane] != first; }) == 0;
    if (agree && hidden_.parked.empty() && (first & warp_.live_ & ~active) == 0) return warp_.run_synced(step, active);
    Group arrived = warp_.current_;
    --arrived.pc;
    for (LaneMask rest = active; rest != 0; rest &= ~arrived.lanes) {
      const std::uint32_t mask = members[std::countr_zero(rest)];
      arrived.lanes = lanes_where(rest, [=](unsigned lane) { return members[lane] == mask; });
      hidden_.parked.push_back({arrived, mask});
    }
    warp_.leave_group(active);
    warp_.reschedule_ = true;
    warp_.settle_parked();
  }

  Warp& warp_;
  Warp::Hidden& hidden_;
};

void Warp::run(std::uint64_t budget) { WarpScheduler(*this).run(budget); }

}  // namespace kiln::emulator
