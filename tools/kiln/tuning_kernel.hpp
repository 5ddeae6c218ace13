// The kernel that `kiln tune` tunes: of a source and the command line, or of a capture.
#pragma once

#include "capture_reader.hpp"
#include "commands.hpp"

#include <kiln/tunable_kernel.hpp>

#include <optional>
#include <vector>

namespace kiln::tool {

/// Of the capture, or of that source. What the command line says goes before what the capture has. Throws ArgumentError
/// for what is missing, Error for a capture that cannot be tuned.
TunableKernel tuning_kernel(const TuningArguments& arguments, const std::string& source,
                            const std::optional<Capture>& capture);

/// The same kernel without wisdom: its function is the default's, and warns of no records.
TunableKernel default_kernel(const TuningArguments& arguments, const std::string& source,
                             const std::optional<Capture>& capture);

/// Throws ArgumentError for a parameter that changes neither code nor launch, on the current device, and where
/// `defaults`, those of --default, are part of no configuration that it can launch.
void check_parameters(const TunableKernel& kernel, const ProblemSize& problem,
                      const std::vector<std::string>& defaults);

/// --problem, else the capture's: of a kernel that was not tunable its threads in each dimension.
std::vector<unsigned long long> tuning_problem(const TuningArguments& arguments, const std::optional<Capture>& capture);

}  // namespace kiln::tool
