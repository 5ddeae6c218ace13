// KILN_CAPTURE for tunable kernels: what a capture needs beside the launch, so that it can be tuned elsewhere.
#pragma once

#include "tune/tunable_definition.hpp"

#include <kiln/function.hpp>
#include <kiln/problem_size.hpp>

#include <optional>
#include <string>

namespace kiln {

/// The definition as JSON, without the source's text. Restrictions by callables are counted only.
std::string tuning_json(const TunableDefinition& definition);

/// Where KILN_CAPTURE names the tunable kernel, by its key or its name, a function of its own for that problem, whose
/// launches are captured. Throws what a SourceModule throws.
std::optional<Function> captured_function(const TunableDefinition& definition, const TuneConfiguration& values,
                                          const ProblemSize& problem);

}  // namespace kiln
