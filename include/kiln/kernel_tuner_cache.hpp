// kernel_tuner_cache(): what tuning found out, for kernel_tuner's tools.
#pragma once

#include <kiln/export.hpp>
#include <kiln/problem_size.hpp>
#include <kiln/tunable_kernel.hpp>
#include <kiln/tune_result.hpp>

#include <string>

namespace kiln {

/// The text of a cache file of kernel_tuner (schema 1.1.0) that has each candidate of a result of tune() with that
/// kernel and problem size on the current device. kernel_tuner's dashboard draws it, and tune_kernel() with
/// simulation_mode=True and tune_cache() replay it. Times are milliseconds: of a launch the median; of compiling and of
/// measuring each candidate has the same share of all. Values of an own objective are `value`, which is then the file's
/// objective. What needs more than the device has is an InvalidConfig, what does not compile a CompilationFailedConfig,
/// and whatever else failed a RuntimeFailedConfig. Throws ArgumentError where a parameter's name is one that the file
/// has for something else, such as "time". Counterpart: the argument `cache` of kernel_tuner's tune_kernel.
KILN_EXPORT std::string kernel_tuner_cache(const TunableKernel& kernel, const ProblemSize& problem,
                                           const TuneResult& result);

}  // namespace kiln
