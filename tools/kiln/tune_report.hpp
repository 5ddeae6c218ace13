// What `kiln tune` says about a run.
#pragma once

#include <kiln/problem_size.hpp>
#include <kiln/tune_result.hpp>

#include <string>

namespace kiln::tool {

struct TuneReport {
  std::string file;
  std::string kernel;
  std::string device;
  bool is_emulator = false;
  bool leaves_out_wisdom = false;  // the best is not kept there, because the device is the emulator
  ProblemSize problem = 0;
  TuneResult result;
};

/// The fastest candidates, failures by reason and where the time went.
std::string tune_text(const TuneReport& report);
/// One JSON object.
std::string tune_json(const TuneReport& report);
/// The times of all that are ok as a curve, and the best time for each value of each parameter as a bar.
std::string tune_plot(const TuneResult& result);

}  // namespace kiln::tool
