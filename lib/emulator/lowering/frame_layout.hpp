// Where a function's registers, locals and parameters lie in its frame.
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

constexpr std::uint64_t register_alignment = 64;  // of a cache line, and of the widest vectors

/// Of code whose source, parameters and results are known; gives its registers their places and its locals their size.
/// Throws CallError for a frame larger than any thread has.
FrameLayout lay_out_frame(Code& code);

}  // namespace kiln::emulator
