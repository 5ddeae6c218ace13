// 32 threads: their places in the code, their registers, and the loop that runs them.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/fault.hpp"
#include "emulator/machine/lanes.hpp"
#include "emulator/machine/step.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::emulator {

class Block;

/// An activation of a function by the lanes that called it together.
struct Frame {
  const Code* code = nullptr;
  Frame* caller = nullptr;
  std::uint32_t call_step = 0;  // index of the caller's call
  std::uint32_t depth = 0;
  LaneMask lanes = 0;                       // that have not returned
  std::uint64_t local_base = 0;             // where its locals begin in each lane's local memory
  std::uint64_t stack = 0;                  // bytes of a thread's stack, with all callers
  std::uint32_t allocated[warp_size] = {};  // by alloca: bytes behind the locals
  std::uint32_t most_allocated = 0;         // of any lane
  std::byte* registers = nullptr;           // code->register_bytes
  std::byte* params = nullptr;              // lane-major: lane * code->param_bytes + offset
  std::unique_ptr<std::byte[]> storage;
  std::size_t storage_size = 0;
  std::uint64_t serial = 0;  // frames of one depth come in this order
};

/// Lanes that run together: one frame, one place.
struct Group {
  Frame* frame = nullptr;
  std::uint32_t pc = 0;  // index of the next step
  LaneMask lanes = 0;
  std::uint64_t last_run = 0;
};

class Warp {
 public:
  Warp(Block& block, std::uint32_t index);
  ~Warp();
  /// All threads begin the kernel; what was made for an earlier block is used again.
  void restart();
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;

  // For handlers.
  /// The lane array of an operand. T has the operand's size; a predicate is mask().
  template <class T>
  const T* in(Slot slot) const {
    return reinterpret_cast<const T*>(bases_[slot.bits >> 31] + slot.offset());
  }
  template <class T>
  T* out(Slot slot) {
    return reinterpret_cast<T*>(const_cast<std::byte*>(bases_[0]) + slot.offset());
  }
  LaneMask mask(Slot slot) const { return *in<LaneMask>(slot); }
  /// Sets the predicate's bits of the active lanes only.
  void set_mask(Slot slot, LaneMask active, LaneMask values) {
    LaneMask& bits = *out<LaneMask>(slot);
    bits = (bits & ~active) | (values & active);
  }
  /// The same for a handler of a sync step, whose lanes may be in different frames of the same function.
  template <class T>
  T value(Slot slot, unsigned lane) const {
    if (slot.is_constant()) return in<T>(slot)[lane];
    return reinterpret_cast<const T*>(lane_registers_[lane] + slot.offset())[lane];
  }
  template <class T>
  void set_value(Slot slot, unsigned lane, T value) {
    reinterpret_cast<T*>(lane_registers_[lane] + slot.offset())[lane] = value;
  }
  bool predicate(Slot slot, unsigned lane) const {
    if (slot.is_constant()) return ((mask(slot) >> lane) & 1u) != 0;
    return ((*reinterpret_cast<const LaneMask*>(lane_registers_[lane] + slot.offset()) >> lane) & 1u) != 0;
  }
  void set_predicate(Slot slot, unsigned lane, bool on) {
    LaneMask& bits = *reinterpret_cast<LaneMask*>(lane_registers_[lane] + slot.offset());
    bits = (bits & ~(1u << lane)) | (static_cast<LaneMask>(on) << lane);
  }

  /// The condition code CC.CF of each lane: what add.cc leaves for addc.
  LaneMask carry() const { return carry_; }
  void set_carry(LaneMask active, LaneMask values) { carry_ = (carry_ & ~active) | (values & active); }

  Block& block() { return block_; }
  const Block& block() const { return block_; }
  std::uint32_t index() const { return index_; }  // in the block: thread = 32 * index + lane
  /// The group that runs. While a handler runs, its pc is already that of the next step.
  Group& current() { return current_; }
  const Group& current() const { return current_; }
  Frame& frame() { return *current_.frame; }
  LaneMask live() const { return live_; }  // that have not exited
  std::uint64_t thread_instructions() const { return thread_instructions_; }

  /// A lane's local memory: `size` bytes at an offset of the local space. Throws Fault (illegal address) beyond what
  /// the lane's frames have.
  std::byte* local(unsigned lane, std::uint64_t offset, std::uint64_t size);

  // alloca (local_stack.cpp). Offsets of the lane's local memory.
  /// Room that is the lane's until its function returns. Throws Fault where the stack has no more.
  std::uint64_t allocate_local(unsigned lane, std::uint64_t size, std::uint64_t alignment);
  /// The end of what the lane's function has.
  std::uint64_t local_end(unsigned lane) const;
  /// What was allocated since local_end() was that goes. Throws Fault where it never was.
  void free_local(unsigned lane, std::uint64_t end);

  // For control handlers.
  /// The active lanes of the current group go on at `target`; the others go on after the step.
  void jump(LaneMask active, std::uint32_t target);
  /// The active lanes leave the kernel.
  void exit(LaneMask active);
  /// They return from their frame (from the first: they exit).
  void leave_frame(LaneMask active);
  /// They enter `callee`: a new frame; param_bytes are copied by the caller.
  Frame& enter_frame(LaneMask active, const Code& callee);
  /// They wait until wake() for their lanes; they go on behind the current step.
  void block_lanes(LaneMask active);
  void wake(LaneMask lanes);
  /// The group gives up its turn: the next group, warp or block runs (spins of nanosleep, yields).
  void yield() { yield_ = true; }

  // For Block.
  enum class State : std::uint8_t { ready, waiting, done };
  State state() const;
  /// Runs up to `budget` steps, or until nothing can run.
  void run(std::uint64_t budget);
  /// Where each live lane is: for reports of deadlocks and time limits. One line for lanes at the same place.
  struct Place {
    const Code* code;
    std::uint32_t step;
    LaneMask lanes;
    bool waiting;
  };
  std::vector<Place> places() const;

 private:
  friend class WarpScheduler;  // warp_scheduler.cpp
  void set_current(const Group& group);
  void add_ready(const Group& group);
  void leave_group(LaneMask active);
  void move_lanes(LaneMask active, const Group& there);
  void free_lanes(Frame* frame, LaneMask lanes, const Frame* end);
  Frame& fresh_frame();
  void reserve_locals(std::uint64_t size);
  void set_local_end(unsigned lane, std::uint64_t end);
  void settle_parked();  // parked_lanes.cpp
  void run_synced(const Step& step, LaneMask lanes);
  Block& block_;
  std::uint32_t index_;
  const std::byte* bases_[2] = {nullptr, nullptr};  // registers and constants of the current frame
  std::byte* lane_registers_[warp_size] = {};
  Group current_;
  std::vector<Group> ready_;
  LaneMask live_ = 0;
  LaneMask carry_ = 0;
  bool yield_ = false;
  bool reschedule_ = false;
  std::uint64_t steps_run_ = 0;
  std::uint64_t thread_instructions_ = 0;
  struct Hidden;  // frames, waiting lanes, local memory: warp_state.hpp
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace kiln::emulator
