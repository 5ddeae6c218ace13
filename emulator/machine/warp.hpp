// 32 threads: their positions in the code, their registers, and the loop that runs them.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/fault.hpp"
#include "emulator/machine/lanes.hpp"
#include "emulator/machine/step.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::emulator {

class Block;

/// A call of a function by lanes that made it together.
struct Frame {
  const Code* code = nullptr;
  Frame* caller = nullptr;
  std::uint32_t call_step = 0;  // index of the caller's call
  std::uint32_t depth = 0;
  LaneMask lanes = 0;                       // lanes that have not returned
  std::uint64_t local_base = 0;             // offset of its locals in the local memory of each lane
  std::uint64_t stack = 0;                  // bytes of stack per thread, including all callers
  std::uint32_t allocated[warp_size] = {};  // by alloca: bytes after the locals
  std::uint32_t most_allocated = 0;         // of any lane
  std::byte* registers = nullptr;           // code->register_bytes
  std::byte* params = nullptr;              // lane-major: lane * code->param_bytes + offset
  std::unique_ptr<std::byte[]> storage;
  std::size_t storage_size = 0;
  std::uint64_t serial = 0;  // order of frames of the same depth
};

/// Lanes that run together, at one position in one frame.
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
  /// All threads begin the kernel. Reuses the memory of the block before.
  void restart();
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;

  // For handlers.
  /// The lane array of an operand. T must have the size of the operand. For predicates: mask().
  template <class T>
  const T* in(Slot slot) const {
    return reinterpret_cast<const T*>(bases_[slot.bits >> 31] + slot.offset());
  }
  template <class T>
  T* out(Slot slot) {
    return reinterpret_cast<T*>(const_cast<std::byte*>(bases_[0]) + slot.offset());
  }
  LaneMask mask(Slot slot) const { return *in<LaneMask>(slot); }
  /// Sets the bits of the active lanes in a predicate.
  void set_mask(Slot slot, LaneMask active, LaneMask values) {
    LaneMask& bits = *out<LaneMask>(slot);
    bits = (bits & ~active) | (values & active);
  }
  /// Whether the lanes of the running sync step are all in the current frame, as usually: then in(), out(), mask() and
  /// set_mask() serve it too.
  bool is_in_one_frame() const { return in_one_frame_; }
  /// The same for handlers of sync steps, whose lanes may be in different frames of the same function.
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

  /// The carry flag CC.CF of each lane, which add.cc sets for addc.
  LaneMask carry() const { return carry_; }
  void set_carry(LaneMask active, LaneMask values) { carry_ = (carry_ & ~active) | (values & active); }

  Block& block() { return block_; }
  const Block& block() const { return block_; }
  std::uint32_t index() const { return index_; }  // in the block: thread = 32 * index + lane
  /// The running group. In a handler its pc is already that of the next step.
  Group& current() { return current_; }
  const Group& current() const { return current_; }
  Frame& frame() { return *current_.frame; }
  LaneMask live() const { return live_; }  // that have not exited
  /// The lane's thread, counted through the block.
  std::uint32_t thread_number(unsigned lane) const { return index_ * warp_size + lane; }
  /// %tid of each lane, along an axis (0: x).
  const std::uint32_t* thread_positions(unsigned axis) const { return positions_[axis].data(); }
  std::uint64_t thread_instructions() const { return thread_instructions_; }

  /// `size` bytes at an offset of a lane's local memory. Throws Fault (illegal address) outside the frames of the lane.
  std::byte* local(unsigned lane, std::uint64_t offset, std::uint64_t size);

  // alloca (local_stack.cpp). Results are offsets in the local memory of the lane.
  /// Allocates local memory until the function returns. Throws Fault if the stack is exhausted.
  std::uint64_t allocate_local(unsigned lane, std::uint64_t size, std::uint64_t alignment);
  /// The current end of the stack of the lane.
  std::uint64_t local_end(unsigned lane) const;
  /// Frees what was allocated since local_end() returned `end`. Throws Fault if it never did.
  void free_local(unsigned lane, std::uint64_t end);

  // For control handlers.
  /// The active lanes of the current group jump to `target`; the others go on after the step.
  void jump(LaneMask active, std::uint32_t target);
  /// The active lanes exit.
  void exit(LaneMask active);
  /// They return from their frame; from the first one they exit.
  void leave_frame(LaneMask active);
  /// They enter a new frame of `callee`. The caller copies the parameters.
  Frame& enter_frame(LaneMask active, const Code& callee);
  /// They wait until wake() is called for them, and then go on after the current step.
  void block_lanes(LaneMask active);
  void wake(LaneMask lanes);
  /// The group yields: the next group, warp or block runs (nanosleep, spinning).
  void yield() { yield_ = true; }

  // For Block.
  enum class Status : std::uint8_t { ready, waiting, done };
  Status status() const;
  /// Runs up to `budget` steps, or until no group can run.
  void run(std::uint64_t budget);
  /// Each step is reported to the block's profile and step counts from now on.
  void observe();
  /// The positions of all live lanes, for reports. Lanes at the same position are one entry.
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
  void run_parked();  // parked_lanes.cpp
  void run_synced(const Step& step, LaneMask lanes);
  Block& block_;
  std::uint32_t index_;
  const std::byte* bases_[2] = {nullptr, nullptr};  // registers and constants of the current frame
  std::byte* lane_registers_[warp_size] = {};
  Group current_;
  std::array<std::uint32_t, warp_size> positions_[3];  // kept, because they need divisions: blocks often are short
  std::vector<Group> ready_;
  LaneMask live_ = 0;
  LaneMask carry_ = 0;
  bool yield_ = false;
  bool in_one_frame_ = true;
  bool reschedule_ = false;
  std::uint64_t steps_run_ = 0;
  std::uint64_t thread_instructions_ = 0;
  struct State;  // frames, waiting lanes, local memory: warp_state.hpp
  std::unique_ptr<State> state_;
};

}  // namespace kiln::emulator
