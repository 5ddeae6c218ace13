// Runs the blocks of one grid.
#pragma once

#include "emulator/machine/block.hpp"

namespace kiln::emulator {

/// Runs all blocks and returns when they have ended, without those of the grids that they launched. Thread-safe.
LaunchOutcome run_grid(LaunchState& launch);

}  // namespace kiln::emulator
