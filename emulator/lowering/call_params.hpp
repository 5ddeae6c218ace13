// The places of .param variables of calls in the parameter bytes of a frame.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <map>

namespace kiln::emulator {

/// Begins behind the `begin` bytes of the function's own parameters, and sets `end` to the total size. Variables that
/// are used in different parts of the text share places: a large function makes many calls, each with its own
/// variables.
std::map<const ptx::Variable*, std::uint64_t> lay_out_call_params(const ptx::Function& function, std::uint64_t begin,
                                                                  std::uint64_t& end);

}  // namespace kiln::emulator
