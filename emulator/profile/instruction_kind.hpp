// What an instruction computes, for counts by kind.
#pragma once

#include "emulator/profile/counters.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>

namespace kiln::emulator {

/// The kinds of Nsight Compute's smsp__sass_thread_inst_executed_op_..., and tensor.
enum class InstructionKind : std::uint8_t {
  fp16,
  fp32,
  fp64,
  tensor,
  integer,
  bit,
  conversion,
  control,
  memory,
  communication,
  misc,
  count
};
constexpr std::size_t kind_count = static_cast<std::size_t>(InstructionKind::count);

InstructionKind kind_of(const ptx::Instruction& instruction);
const char* name_of(InstructionKind kind);

/// Floating-point operations of one execution: by a thread, or of the whole warp for products of matrices.
struct Flops {
  Counter counter = Counter::flops_fp32;
  std::uint64_t count = 0;
  bool of_warp = false;
};
Flops flops_of(const ptx::Instruction& instruction);

/// mbarrier.test_wait or try_wait: they change nothing.
bool waits_at_mbarrier(const ptx::Instruction& instruction);

/// A branch that may go more than one way.
bool may_diverge(const ptx::Instruction& instruction);

/// Which ways a branch has, if not two that both do something.
enum class BranchShape : std::uint8_t {
  other,
  guard,    // one leaves the kernel at once, as after `if (i < n)`; in no loop
  if_then,  // one goes straight to where the other comes, too: there is no else
};
BranchShape shape_of_branch(const ptx::Function& function, std::uint32_t instruction);

}  // namespace kiln::emulator
