// Where .param variables of calls lie in a frame's parameter bytes.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <map>

namespace kiln::emulator {

/// Behind the `begin` bytes of the function's own parameters. Variables that are not mentioned in the same part of the
/// text share places: a big function makes many calls, each with variables of its own. `end` becomes the whole size.
std::map<const ptx::Variable*, std::uint64_t> lay_out_call_params(const ptx::Function& function, std::uint64_t begin,
                                                                  std::uint64_t& end);

}  // namespace kiln::emulator
