// The places of a function's registers, locals and parameters in its frame.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <map>

namespace kiln::emulator {

struct FrameLayout {
  std::map<const ptx::Variable*, std::uint64_t> locals, params;
  std::uint64_t register_end = 0;  // of all lanes; scratch registers follow
  std::uint64_t param_end = 0;     // of one lane
};

/// Lays out a frame. The code's source, parameters and results must be set; sets the places of its registers and the
/// size of its locals. Throws CallError for a frame larger than any thread has.
FrameLayout lay_out_frame(Code& code);

/// Begins after the `begin` bytes of the function's own parameters, and sets `end` to the total size. Variables that
/// are used in different parts of the text share places: a large function makes many calls, each with its own
/// variables.
std::map<const ptx::Variable*, std::uint64_t> lay_out_call_params(const ptx::Function& function, std::uint64_t begin,
                                                                  std::uint64_t& end);

/// Operand 0 = not operand 1 (predicates).
void negate_predicate(const Step& step, Warp& warp, LaneMask active);

// Operand 0, of small[0] bytes, = step.value + the offset of ...
/// ... the block's dynamic shared memory;
void add_dynamic_shared(const Step& step, Warp& warp, LaneMask active);
/// ... the frame's local memory.
void add_local_base(const Step& step, Warp& warp, LaneMask active);

}  // namespace kiln::emulator
