// The text of a cache file of kernel_tuner.
#pragma once

#include "tune/tunable_definition.hpp"

#include <kiln/problem_size.hpp>
#include <kiln/tune_result.hpp>

#include <string>

namespace kiln {

/// What one file is about.
struct KernelTunerHead {
  const TunableDefinition& definition;
  std::string device;
  ProblemSize problem;
  std::string date;  // of all candidates
};

/// Throws ArgumentError for a parameter whose name the file has for something else.
std::string kernel_tuner_text(const KernelTunerHead& head, const TuneResult& result);

}  // namespace kiln
