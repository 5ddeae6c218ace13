#include "emulator/machine/divergence_check.hpp"

#include "emulator/core/settings.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/code_place.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace kiln::emulator {
namespace {

std::string threads_text(const Warp& warp, LaneMask lanes, const char* whose = "its") {
  const Dim3 first = warp.block().thread(warp, first_lane(lanes));
  const int count = std::popcount(lanes);
  return std::to_string(count) + (count == 1 ? " thread" : " threads") + " of " + whose + " warp (such as " +
         first.text() + ")";
}

// Whether a thread at this place does nothing more but leave the kernel.
bool is_end(const Code& code, std::uint32_t step) {
  for (int branches = 0; branches < 8; ++branches) {
    const Step& at = code.steps[step];
    const auto& all = code.source->instructions;
    const std::string_view opcode = at.instruction < all.size() ? all[at.instruction].opcode : "ret";
    if (at.guard != Step::no_guard) return false;
    if (opcode != "bra") return opcode == "exit" || (opcode == "ret" && code.source->is_entry);
    step = static_cast<std::uint32_t>(at.value);
  }
  return false;
}

LaneMask ending_lanes(const Warp& warp) {
  LaneMask lanes = 0;
  for (const Warp::Place& each : warp.places())
    if (!each.waiting && is_end(*each.code, each.step)) lanes |= each.lanes;
  return lanes;
}

}  // namespace

std::unique_ptr<DivergenceCheck> DivergenceCheck::make_if_enabled() {
  return Settings::get().check_divergence ? std::make_unique<DivergenceCheck>() : nullptr;
}

std::string DivergenceCheck::waiting_text(const Arrival& arrival, const char* whose) {
  const std::uint32_t instruction = arrival.code->steps[arrival.step].instruction;
  return threads_text(*arrival.warp, arrival.arrived, whose) + " came to it at " +
         places_text(*arrival.code, instruction);
}

void DivergenceCheck::arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier, bool for_block) {
  const Group& group = warp.current();
  Arrival& arrival = arrivals_[{barrier, warp.index()}];
  const bool elsewhere = arrival.frame != group.frame || arrival.step != group.pc - 1;
  if (arrival.arrived != 0 && (lanes & ~arrival.arrived) != 0 && elsewhere)
    throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(lanes & ~arrival.arrived),
                "comes to a barrier that all threads of a warp must come to together, while " + waiting_text(arrival));
  if (arrival.arrived == 0) arrival = {&warp, group.frame, group.frame->code, group.pc - 1, 0, 0, for_block};
  arrival.arrived |= lanes;
  arrival.awaited = warp.live() & ~arrival.arrived;
  if (arrival.awaited != 0) arrival.awaited &= ~ending_lanes(warp);
}

void DivergenceCheck::complete(const Warp& last, std::uint32_t barrier) {
  const auto begin = arrivals_.lower_bound({barrier, 0}), end = arrivals_.lower_bound({barrier + 1, 0});
  for (auto each = begin; each != end; ++each) {
    const LaneMask missing = each->second.awaited & each->second.warp->live();
    if (missing != 0)
      throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(last.live() | 1u),
                  "completes a barrier for whole warps, to which " + threads_text(*each->second.warp, missing) +
                      " did not come, while " + waiting_text(each->second));
  }
  compare_lines(last, begin, end);
  arrivals_.erase(begin, end);
}

// A compiler may copy a barrier, but not to another line. Barriers for a number of threads are how warps with different
// work meet, each at a line of its own.
void DivergenceCheck::compare_lines(const Warp& last, Arrivals::const_iterator begin, Arrivals::const_iterator end) {
  const auto own = std::find_if(begin, end, [&](const auto& each) { return each.second.warp == &last; });
  const Arrival& first = (own != end ? own : begin)->second;
  for (auto each = begin; each != end; ++each) {
    const Arrival& other = each->second;
    if (!first.for_block || !other.for_block || (other.code == first.code && other.step == first.step)) continue;
    if (same_source_lines({first.code, first.code->steps[first.step].instruction},
                          {other.code, other.code->steps[other.step].instruction}))
      continue;
    throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(first.arrived),
                "comes to a barrier that all warps of a block must come to at the same line, while " +
                    waiting_text(other, "another"));
  }
}

void DivergenceCheck::ended(const Warp& warp) {
  for (const auto& [key, arrival] : arrivals_) {
    const LaneMask passed_by = arrival.awaited & ~warp.live();
    if (arrival.warp != &warp || passed_by == 0) continue;
    throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(passed_by),
                "ends without having come to a barrier that all threads of a warp must come to, while " +
                    waiting_text(arrival));
  }
}

}  // namespace kiln::emulator
