// Outcomes of launches with KILN_EMULATOR_CHECK: a finding, or none.
#pragma once

#include "run_ptx.hpp"

#include <string>
#include <vector>

namespace kiln::emulator {

inline void check_fine(const LaunchOutcome& outcome) { CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report); }

/// The report has all of the texts.
inline void check_found(const LaunchOutcome& outcome, const std::vector<std::string>& texts) {
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK_MESSAGE(outcome.report.find(text) != std::string::npos, outcome.report);
  }
}

}  // namespace kiln::emulator
