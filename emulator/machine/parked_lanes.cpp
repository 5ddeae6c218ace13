// Lanes that wait at a warp-wide instruction for its other members.
#include "emulator/machine/block.hpp"
#include "emulator/machine/memory_checks.hpp"
#include "emulator/machine/warp_state.hpp"

#include <algorithm>
#include <cstring>

namespace kiln::emulator {
namespace {

const Step& step_of(const ParkedLanes& parked) { return parked.group.frame->code->steps[parked.group.pc]; }

bool same_slots(const Step& a, const Step& b) {
  for (unsigned i = 0; i < std::size(a.operand); ++i)
    if (i != a.sync_mask && a.operand[i].bits != b.operand[i].bits) return false;
  return true;
}

// A compiler may duplicate an instruction into two branches: members may arrive at either copy.
bool run_together(const ParkedLanes& a, const ParkedLanes& b) {
  if (a.members != b.members) return false;
  const Step &left = step_of(a), &right = step_of(b);
  if (&left == &right) return true;
  return a.group.frame->code == b.group.frame->code && left.run == right.run && left.sync_mask == right.sync_mask &&
         left.value == right.value && std::memcmp(left.small, right.small, sizeof(left.small)) == 0 &&
         left.more.empty() && right.more.empty() && same_slots(left, right);
}

}  // namespace

void Warp::run_synced(const Step& step, LaneMask lanes) {
  if (MemoryChecks* const checks = block_.checks()) checks->order(*this, lanes);
  step.run(step, *this, lanes);
}

// Runs each waiting instruction all of whose members have arrived or exited.
void Warp::run_parked() {
  std::vector<ParkedLanes>& parked = state_->parked;
  const Group before = current_;
  for (std::size_t i = 0; i < parked.size();) {
    const ParkedLanes first = parked[i];
    const auto is_member = [&](const ParkedLanes& each) { return run_together(first, each); };
    LaneMask arrived = 0;
    for (const ParkedLanes& each : parked)
      if (is_member(each)) arrived |= each.group.lanes;
    if ((first.members & live_ & ~arrived) != 0) {
      ++i;
      continue;
    }
    Group running = first.group;
    ++running.pc;
    running.lanes = arrived;
    set_current(running);
    const Step& step = step_of(first);
    in_one_frame_ = false;
    run_synced(step, arrived);
    in_one_frame_ = true;
    for (const ParkedLanes& each : parked)
      if (is_member(each)) add_ready({each.group.frame, each.group.pc + 1, each.group.lanes, each.group.last_run});
    parked.erase(std::remove_if(parked.begin(), parked.end(), is_member), parked.end());
    reschedule_ = true;
    i = 0;
  }
  set_current(before);
}

}  // namespace kiln::emulator
