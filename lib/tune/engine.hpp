// Tuning: candidates compiled ahead, verified, measured in alternation, and the best one stored.
#pragma once

#include "base/file_system.hpp"
#include "tune/tune_target.hpp"
#include "tune/valid_configurations.hpp"

#include <kiln/tune_options.hpp>
#include <kiln/tune_result.hpp>

namespace kiln {

/// Begins with the default configuration. Which configurations are tried depends on the seed, on the number of compile
/// threads and on what was measured, never on how long a compile took. Throws ArgumentError for options that cannot be
/// met, and for a space without the default; Error where the log file cannot be used, where the default gives no
/// reference, and where a candidate left a device on which nothing can be launched; what the options' callables throw.
TuneResult run_tuning(TuneTarget& target, const ValidConfigurations& valid, const TuneOptions& options,
                      FileSystem& files = FileSystem::real());

}  // namespace kiln
