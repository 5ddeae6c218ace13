// What to do where nvcc, or a program that it runs, failed for other reasons than the source.
#pragma once

#include "compile/compiler/compiler_log.hpp"
#include "worker/nvcc/process_runner.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// About the host compiler, the folder for temporary files (`folder` is in it), LD_PRELOAD, files of options that the
/// command names, and the architectures that nvcc, the command's first word, knows, for which it is asked. `said` is
/// its main error, nothing where it said nothing of one. Whole sentences, each on its line; empty where there is
/// nothing to say.
std::string nvcc_advice(const std::optional<Diagnostic>& said, const std::vector<std::string>& command,
                        const std::string& folder, ProcessRunner& runner);

}  // namespace kiln
