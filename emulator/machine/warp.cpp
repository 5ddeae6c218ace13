#include "emulator/machine/warp.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/core/device_attributes.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/machine/warp_state.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

namespace kiln::emulator {
namespace {

constexpr std::size_t storage_alignment = 64;
// In steps: about 50 us.
constexpr std::uint64_t first_slice = 4096;
// Stack that a call needs besides the locals and parameters of the function: about as much as with nvcc.
constexpr std::uint64_t frame_charge = 48;

std::uint64_t stack_of(const Code& code) { return code.local_bytes + code.param_bytes + frame_charge; }

// Whether one of the functions is called while it runs.
bool is_recursive(const Code& callee, const Frame& caller) {
  std::set<const Code*> running = {&callee};
  for (const Frame* frame = &caller; frame != nullptr; frame = frame->caller)
    if (!running.insert(frame->code).second) return true;
  return false;
}

// Of a call that needs more than the limit, or more local memory than a thread can have. The limit is for recursions
// alone: ptxas knows what other calls need, and drivers give a kernel that much.
void check_stack(const Code& callee, const Frame& caller, std::uint64_t stack, std::uint64_t limit, std::uint64_t local,
                 unsigned lane) {
  const std::string calls = "calls " + demangle(std::string(callee.source->name));
  if (local > most_local_memory)
    throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
                calls + " at depth " + std::to_string(caller.depth + 1) + ", with which the thread needs " +
                    std::to_string(local) + " bytes of local memory, and has " + std::to_string(most_local_memory) +
                    " at most: keep large arrays in a buffer of device memory");
  if (!is_recursive(callee, caller)) return;
  throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
              calls + " at depth " + std::to_string(caller.depth + 1) + ", with a stack of " + std::to_string(stack) +
                  " bytes, and the thread has " + std::to_string(limit) +
                  ": a recursion without end, or a larger CU_LIMIT_STACK_SIZE is needed (Limit::stack_size)");
}

// Gives the frame at least the memory that the code needs.
void allocate_storage(Frame& frame, const Code& code) {
  const std::size_t registers = aligned(code.register_bytes, storage_alignment);
  const std::size_t size = registers + std::size_t{code.param_bytes} * warp_size;
  if (frame.storage_size < size + storage_alignment) {
    frame.storage = std::make_unique_for_overwrite<std::byte[]>(size + storage_alignment);
    frame.storage_size = size + storage_alignment;
  }
  void* begin = frame.storage.get();
  std::size_t room = frame.storage_size;
  frame.registers = static_cast<std::byte*>(std::align(storage_alignment, size, begin, room));
  frame.params = frame.registers + registers;
  // Zeros, so that a kernel that reads uninitialised registers behaves the same in each run.
  std::memset(frame.registers, 0, code.zeroed_bytes);
  std::memset(frame.params, 0, std::size_t{code.param_bytes} * warp_size);
}

}  // namespace

Warp::Warp(Block& block, std::uint32_t index) : block_(block), index_(index), state_(std::make_unique<State>()) {
  const std::uint64_t threads = block.request().block.count() - std::uint64_t{index} * warp_size;
  state_->threads = threads >= warp_size ? all_lanes : (LaneMask{1} << threads) - 1;
  state_->slice = first_slice;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const Dim3 at = block.thread(*this, lane);
    positions_[0][lane] = at.x;
    positions_[1][lane] = at.y;
    positions_[2][lane] = at.z;
  }
  restart();
}

Warp::~Warp() = default;

void Warp::observe() { state_->observed = true; }

void Warp::restart() {
  state_->trace.reset();
  ready_.clear();
  state_->waiting.clear();
  state_->parked.clear();
  // In reverse, so that the kernel gets the first frame again.
  state_->spare.clear();
  for (std::size_t i = state_->frames.size(); i-- > 0;) state_->spare.push_back(state_->frames[i].get());
  live_ = state_->threads;
  yield_ = reschedule_ = false;
  in_one_frame_ = true;
  current_ = {nullptr, 0, live_, 0};
  enter_frame(live_, *block_.request().kernel->code);
  state_->trace = Trace::make_if_enabled(*this);
  state_->observed = state_->trace != nullptr || block_.profile() != nullptr;
}

std::byte* Warp::local(unsigned lane, std::uint64_t offset, std::uint64_t size) {
  const Frame& frame = *state_->lane_frames[lane];
  const std::uint64_t end = frame.local_base + frame.code->local_bytes + frame.allocated[lane];
  if (size > end || offset > end - size)
    throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
                "touches " + std::to_string(size) + " bytes at " + std::to_string(offset) +
                    " in local memory, of which the thread has " + std::to_string(end) + " bytes");
  return state_->locals.data() + lane * state_->locals_of_lane + offset;
}

void Warp::set_current(const Group& group) {
  current_ = group;
  if (group.frame == nullptr) return;
  bases_[0] = group.frame->registers;
  bases_[1] = group.frame->code->constants.data();
}

// Lanes at the same position reconverge.
void Warp::add_ready(const Group& group) {
  for (Group& each : ready_) {
    if (each.frame != group.frame || each.pc != group.pc) continue;
    each.lanes |= group.lanes;
    each.last_run = std::min(each.last_run, group.last_run);
    return;
  }
  ready_.push_back(group);
}

// Removes lanes from the current group.
void Warp::leave_group(LaneMask active) {
  current_.lanes &= ~active;
  if (current_.lanes == 0) reschedule_ = true;
}

void Warp::jump(LaneMask active, std::uint32_t target) {
  if (active == current_.lanes) {
    current_.pc = target;
    return;
  }
  leave_group(active);
  add_ready({current_.frame, target, active, current_.last_run});
  reschedule_ = true;
}

void Warp::exit(LaneMask active) {
  live_ &= ~active;
  leave_group(active);
  free_lanes(current_.frame, active, nullptr);
  run_parked();
  block_.threads_left();
}

// Removes the lanes from the frames up to `end`. A frame without lanes can be reused.
void Warp::free_lanes(Frame* frame, LaneMask lanes, const Frame* end) {
  while (frame != end) {
    Frame* const caller = frame->caller;
    frame->lanes &= ~lanes;
    if (frame->lanes == 0) state_->spare.push_back(frame);
    frame = caller;
  }
}

// Moves lanes of the current group to another frame.
void Warp::move_lanes(LaneMask active, const Group& there) {
  if (active == current_.lanes) {
    set_current(there);
    reschedule_ = reschedule_ || !ready_.empty();
    return;
  }
  leave_group(active);
  add_ready(there);
  reschedule_ = true;
}

void Warp::leave_frame(LaneMask active) {
  Frame& frame = *current_.frame;
  if (frame.caller == nullptr) return exit(active);
  Frame& caller = *frame.caller;
  return_results(frame, active);
  each_lane(active, [&](unsigned lane) {
    lane_registers_[lane] = caller.registers;
    state_->lane_frames[lane] = &caller;
  });
  const Group returned{&caller, frame.call_step + 1, active, current_.last_run};
  move_lanes(active, returned);
  free_lanes(&frame, active, &caller);
}

Frame& Warp::fresh_frame() {
  if (state_->spare.empty()) return *state_->frames.emplace_back(std::make_unique<Frame>());
  Frame& frame = *state_->spare.back();
  state_->spare.pop_back();
  return frame;
}

Frame& Warp::enter_frame(LaneMask active, const Code& callee) {
  Frame* const caller = current_.frame;
  // Without the kernel's own variables, as the driver counts.
  const std::uint64_t stack = caller == nullptr ? 0 : stack_of(callee) + caller->stack + caller->most_allocated;
  const std::uint64_t local_base =
      caller == nullptr ? 0 : aligned(caller->local_base + caller->code->local_bytes + caller->most_allocated, 16);
  const std::uint64_t local = local_base + callee.local_bytes;
  if (caller != nullptr && (stack > stack_limit(block_) || local > most_local_memory))
    check_stack(callee, *caller, stack, stack_limit(block_), local, first_lane(active));
  Frame& frame = fresh_frame();
  frame.code = &callee;
  frame.caller = caller;
  frame.call_step = current_.pc - 1;
  frame.depth = caller == nullptr ? 0 : caller->depth + 1;
  frame.lanes = active;
  frame.local_base = local_base;
  if (frame.most_allocated != 0) {
    std::fill(std::begin(frame.allocated), std::end(frame.allocated), 0u);
    frame.most_allocated = 0;
  }
  frame.stack = stack;
  frame.serial = state_->next_serial++;
  allocate_storage(frame, callee);
  reserve_locals(local);
  each_lane(active, [&](unsigned lane) {
    lane_registers_[lane] = frame.registers;
    state_->lane_frames[lane] = &frame;
  });
  const Group entered{&frame, 0, active, current_.last_run};
  move_lanes(active, entered);
  return frame;
}

// Every lane keeps its contents when the memory moves.
void Warp::reserve_locals(std::uint64_t size) {
  const std::uint64_t old = state_->locals_of_lane;
  if (size <= old) return;
  const std::uint64_t fresh = aligned(std::max(size, old * 2), 16);
  std::vector<std::byte> moved(fresh * warp_size);
  for (unsigned lane = 0; lane < warp_size && old != 0; ++lane)
    std::memcpy(moved.data() + lane * fresh, state_->locals.data() + lane * old, old);
  state_->locals.swap(moved);
  state_->locals_of_lane = fresh;
}

void Warp::block_lanes(LaneMask active) {
  state_->waiting.push_back({current_.frame, current_.pc, active, current_.last_run});
  leave_group(active);
}

void Warp::wake(LaneMask lanes) {
  std::vector<Group>& waiting = state_->waiting;
  for (Group& each : waiting) {
    const LaneMask woken = each.lanes & lanes;
    if (woken == 0) continue;
    each.lanes &= ~woken;
    add_ready({each.frame, each.pc, woken, each.last_run});
  }
  waiting.erase(std::remove_if(waiting.begin(), waiting.end(), [](const Group& each) { return each.lanes == 0; }),
                waiting.end());
  reschedule_ = true;
}

Warp::Status Warp::status() const {
  if (live_ == 0) return Status::done;
  return current_.lanes != 0 || !ready_.empty() ? Status::ready : Status::waiting;
}

std::vector<Warp::Place> Warp::places() const {
  std::vector<Place> all;
  const auto add = [&](const Group& group, std::uint32_t step, bool waits) {
    if (group.lanes != 0) all.push_back({group.frame->code, step, group.lanes, waits});
  };
  add(current_, current_.pc, false);
  for (const Group& each : ready_) add(each, each.pc, false);
  for (const Group& each : state_->waiting) add(each, each.pc - 1, true);
  for (const ParkedLanes& each : state_->parked) add(each.group, each.group.pc, true);
  return all;
}

}  // namespace kiln::emulator
