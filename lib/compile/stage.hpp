// A stage of a compile: one run of a compiler, linker or assembler.
#pragma once

#include "compile/code/made_code.hpp"
#include "compile/identity/tool_digests.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace kiln {

/// A compile is a list of these, each of which makes something of what the one before made.
struct Stage {
  /// What it is in the key; nothing where this machine lacks it. Opens and starts nothing. Unset where the compiler
  /// that was chosen has it.
  std::function<std::optional<StageIdentity>()> identity;
  /// Makes `made.code`, the first one of the source, and adds what it read to `made.headers`. Throws as a compile.
  std::function<void(MadeCode& made)> run;
};
using Stages = std::vector<Stage>;

}  // namespace kiln
