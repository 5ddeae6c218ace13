// The places of a function's registers, locals and parameters in its frame.
#pragma once

#include "emulator/machine/code.hpp"

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

}  // namespace kiln::emulator
