// tune(): the fastest values of a kernel's parameters.
#pragma once

#include <kiln/export.hpp>
#include <kiln/problem_size.hpp>
#include <kiln/tunable_kernel.hpp>
#include <kiln/tune_arguments.hpp>
#include <kiln/tune_options.hpp>
#include <kiln/tune_result.hpp>

namespace kiln {

/// Tries the configurations of a kernel on the current device for a problem of that size, and keeps the fastest one
/// whose result is right: later launches of the kernel for that problem use it, in this process at once and in others
/// by its wisdom. Wisdom keeps no results of the emulator (but see TuneOptions::keep_emulator_wisdom), and none if all
/// configurations are the same program.
///
///   kiln::TuneResult result = kiln::tune(matmul, {n, m}, kiln::TuneArguments(a, b, c));
///
/// Candidates are compiled ahead on all cores while the device measures, and measured in turn, so that a change of the
/// device's clock meets all alike. Before each launch the memory that the kernel may write has its first content again,
/// as it has after the call. A candidate that does not compile, that the device cannot run, that is refused or is wrong
/// is counted and left out. Configurations with the same code and the same launch are measured once. Launches are made
/// on a stream of its own, after all work of the current context.
///
/// For one thread at a time on a device, as other work would be measured along; the kernel may be launched by others
/// meanwhile. Throws ArgumentError for options that cannot be met, where no configuration is valid, and for a parameter
/// that changes neither code nor launch, such as a misspelt one (a warning if a callable, the objective or a
/// restriction, may use it); DeviceLostError where a candidate crashed or does not end; Error where the default
/// configuration fails and there is no TuneOptions::reference, and where the log file cannot be used; what the options'
/// callables throw. What was measured until then is in the log file. Counterpart: kernel_tuner's tune_kernel.
KILN_EXPORT TuneResult tune(const TunableKernel& kernel, const ProblemSize& problem, const TuneArguments& arguments,
                            const TuneOptions& options = {});

}  // namespace kiln
